package dev.kymo.analysis.summary;

import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.TrackKind;
import java.util.function.Predicate;

/**
 * What a summary is to be made of.
 *
 * @param from nanoseconds since the recording's begin
 * @param to nanoseconds since the recording's begin
 * @param kind of the threads
 * @param perThread a row for each method and thread instead of one for each method
 */
public record SummaryQuery(
    long from, long to, Predicate<ThreadCalls> threads, TrackKind kind, boolean perThread) {
  /** All calls. */
  public static final SummaryQuery ALL = new SummaryQuery(0, Long.MAX_VALUE, thread -> true, false);

  /** Calls of threads. */
  public SummaryQuery(long from, long to, Predicate<ThreadCalls> threads, boolean perThread) {
    this(from, to, threads, TrackKind.CALLS, perThread);
  }

  /** Whether it asks, of some threads or all, for what may be kept with the index. */
  public boolean mayBeKept() {
    return wholeTime() && kind == TrackKind.CALLS && !perThread;
  }

  boolean wholeTime() {
    return from <= 0 && to == Long.MAX_VALUE;
  }

  /** Whether something that is selected may be missing where events of a thread were lost. */
  boolean mayLackOf(ThreadCalls thread) {
    // A thread of which no wait is known may have had some, in the ring that has its calls.
    boolean waits =
        kind == TrackKind.STATES && TrackKind.of(thread.definition()) == TrackKind.CALLS;
    return selects(thread) || (waits && threads.test(thread));
  }

  boolean selects(ThreadCalls thread) {
    return TrackKind.of(thread.definition()) == kind && threads.test(thread);
  }
}
