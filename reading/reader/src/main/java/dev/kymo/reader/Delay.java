package dev.kymo.reader;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Delay of events that are delivered some time late: what is complete up to a clock is delivered
 * that time after it is known to be, also if the recorder says no later clock.
 */
final class Delay {
  private final long nanos;
  private final long ticks;
  private final Deque<Said> said = new ArrayDeque<>();
  private long settled = Long.MIN_VALUE;

  /**
   * The recorder said this.
   *
   * @param at when that was seen, nanoseconds of the monotonic clock
   */
  private record Said(long at, long clock) {}

  /**
   * A delay.
   *
   * @param nanos how long it is
   * @param ticks the same in the recording's clock
   */
  Delay(long nanos, long ticks) {
    this.nanos = nanos;
    this.ticks = ticks;
  }

  /**
   * Clock up to which events are delivered.
   *
   * @param complete clock up to which they are complete; {@link Long#MIN_VALUE} = unknown
   * @param now nanoseconds of the monotonic clock
   */
  long until(long complete, long now) {
    if (complete == Long.MIN_VALUE) {
      return complete;
    }
    if (said.isEmpty() || said.getLast().clock() < complete) {
      said.add(new Said(now, complete));
    }
    while (!said.isEmpty() && now - said.getFirst().at() >= nanos) {
      settled = said.getFirst().clock();
      if (said.size() == 1) {
        break; // to be compared with what is said next
      }
      said.removeFirst();
    }
    return Math.max(settled, complete - ticks);
  }
}
