package dev.kymo.analysis.locks;

import dev.kymo.format.Definition.TracedThread;
import dev.kymo.model.calls.ThreadCalls;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A wait that may be one of the longest.
 *
 * @param begin clock
 * @param time clock ticks
 * @param caller address of the code that waited, 0 = unknown
 * @param acquired whether the thread has got the object
 * @param open whether it waited until the end
 * @param releaser who let it go on or, if it is open, has the object; null = unknown
 */
record LongWait(
    LockObject object,
    ThreadCalls thread,
    long begin,
    long time,
    long caller,
    boolean acquired,
    boolean open,
    @Nullable TracedThread releaser) {
  /** The same wait, ended by a thread. */
  LongWait endedBy(ThreadCalls by) {
    return new LongWait(object, thread, begin, time, caller, acquired, open, by.definition());
  }

  /** Of two that took as long, the later one first. */
  static final Comparator<LongWait> SHORTEST_FIRST =
      Comparator.comparingLong(LongWait::time)
          .thenComparing(Comparator.comparingLong(LongWait::begin).reversed())
          .thenComparing(Comparator.comparingInt((LongWait w) -> w.thread.index()).reversed());
}
