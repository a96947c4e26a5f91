package dev.kymo.analysis;

import dev.kymo.model.ThreadCalls;
import dev.kymo.model.TracedMethod;
import java.util.Optional;

/**
 * What one method cost. Times are nanoseconds.
 *
 * @param thread whose calls these are; empty = of all threads
 * @param calls made
 * @param total time in the method and in what it called. Where it called itself, directly or not,
 *     on the same thread, only the outermost call counts: that time passed once
 * @param self time in the method itself, without the recorded calls it made
 * @param average of all calls' durations, inner ones included
 * @param p50 median of the durations, within 1.6 %
 * @param p99 99th percentile of the durations, within 1.6 %
 * @param max longest duration
 * @param atLeast events were lost: there may have been more calls and more time
 */
@SuppressWarnings("checkstyle:ParameterNumber") // one component a column
public record MethodSummary(
    TracedMethod method,
    Optional<ThreadCalls> thread,
    long calls,
    long total,
    long self,
    long average,
    long p50,
    long p99,
    long max,
    boolean atLeast) {}
