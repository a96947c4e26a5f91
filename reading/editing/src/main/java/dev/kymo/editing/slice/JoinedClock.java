package dev.kymo.editing.slice;

import dev.kymo.editing.clocks.ClockCounters;
import dev.kymo.editing.clocks.ClockDrift;
import dev.kymo.format.Clock;
import java.util.function.LongUnaryOperator;

/**
 * Conversion of the clock of one recording to the clock of several.
 *
 * @param clock of the recording
 * @param to the clock of all
 * @param same whether both are the same counter, so that ticks stay ticks
 * @param drift what is added to its times
 */
record JoinedClock(Clock clock, Clock to, boolean same, ClockDrift drift) {
  /** Converts ticks to ticks. */
  LongUnaryOperator conversion() {
    boolean constant = drift.rate() == 0;
    if (clock.equals(to) && constant && drift.offset() == 0) {
      return LongUnaryOperator.identity();
    }
    if (same && constant) {
      long whole =
          Math.floorDiv(
              clock.wallOffset() - to.wallOffset() + ClockCounters.SAME_BOOT / 2,
              ClockCounters.SAME_BOOT);
      long shift = whole * to.frequency() + ticks(drift.offset());
      return ticks -> Math.max(0, ticks + shift);
    }
    return ticks -> {
      long time = clock.wallOffset() + clock.nanos(ticks);
      long nanos = time - to.wallOffset() + drift.at(time);
      return nanos <= 0 ? 0 : latest(nanos);
    };
  }

  private long ticks(long nanos) {
    return nanos < 0 ? -to.ticks(-nanos) : to.ticks(nanos);
  }

  /**
   * The first tick that is not before a time, so that the time is found again to the nanosecond.
   */
  private long latest(long nanos) {
    long ticks = to.ticks(nanos);
    return to.nanos(ticks) < nanos ? ticks + 1 : ticks;
  }
}
