package dev.kymo.analysis.summary;

import dev.kymo.analysis.costs.CorrectedTimes;
import dev.kymo.analysis.costs.SelfTime;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.TracedMethod;
import java.util.Optional;

/**
 * What one method cost. Times are nanoseconds.
 *
 * @param thread whose calls these are; empty = of all threads
 * @param calls made, recorded as events or counted
 * @param counted those of them that were only counted
 * @param total time in the method and in what it called. Where it called itself, directly or not,
 *     on the same thread, only the outermost call counts: that time passed once
 * @param self time in the method itself, without the calls it made that are recorded or counted;
 *     where nobody looked where threads were, counted calls' time is in their caller's self time
 * @param corrected total and self without what the probes took; empty if nobody knows what they
 *     cost
 * @param selfTime what the self time was
 * @param average of all calls' durations, inner ones included
 * @param p50 median of the durations, within 1.6 %, of counted calls within 25 %
 * @param p99 99th percentile of the durations, as exact
 * @param max longest duration
 * @param longest the recorded call that took longest; empty if all were only counted
 * @param estimated some of the counted calls were timed by sample: the times are estimates
 * @param leftOut nothing of it was recorded for some of the time
 * @param untimed the time of some counted calls is missing: they had not ended, or nobody looked at
 *     their threads, such as virtual ones
 * @param atLeast events were lost, or it was left out for a time: there may have been more calls
 *     and more time
 */
@SuppressWarnings("checkstyle:ParameterNumber") // one component a column
public record MethodSummary(
    TracedMethod method,
    Optional<ThreadCalls> thread,
    long calls,
    long counted,
    long total,
    long self,
    Optional<CorrectedTimes> corrected,
    SelfTime selfTime,
    long average,
    long p50,
    long p99,
    long max,
    Optional<LongestRecorded> longest,
    boolean estimated,
    boolean leftOut,
    boolean untimed,
    boolean atLeast) {
  /** Whether there may have been more time. */
  public boolean timeAtLeast() {
    return atLeast || untimed;
  }

  /**
   * Where the longest recorded call is.
   *
   * @param depth 0 = outermost
   * @param begin nanoseconds since the recording's begin, or that of the time range
   */
  public record LongestRecorded(ThreadCalls thread, int depth, long begin) {}
}
