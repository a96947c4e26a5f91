package dev.kymo.analysis.slice;

import dev.kymo.analysis.clocks.Drift;
import dev.kymo.format.Clock;
import java.util.function.LongUnaryOperator;

/**
 * How the clock of one recording is converted to the clock of several.
 *
 * @param clock of the recording
 * @param to the clock of all
 * @param same whether both are the same counter, so that ticks stay ticks
 * @param drift what is added to its times
 */
record JoinedClock(Clock clock, Clock to, boolean same, Drift drift) {
  /** Clocks of one boot that were related to wall time twice differ by less, nanoseconds. */
  private static final long SAME_BOOT = 1_000_000_000L;

  private static final double SAME_FREQUENCY = 1e-4;

  /** Whether two clocks are the same counter of the same machine since the same boot. */
  static boolean isSame(Clock one, Clock other) {
    boolean counter = one.name().equals(Clock.TSC) || one.name().equals(Clock.MONOTONIC);
    return counter
        && one.name().equals(other.name())
        && isAsFast(one, other)
        && Math.abs(one.wallOffset() - other.wallOffset()) < SAME_BOOT;
  }

  /** Whether ticks of one are ticks of the other. */
  static boolean isAsFast(Clock one, Clock other) {
    return Math.abs((double) one.frequency() / other.frequency() - 1) < SAME_FREQUENCY;
  }

  /** Converts ticks to ticks. */
  LongUnaryOperator conversion() {
    boolean constant = drift.rate() == 0;
    if (clock.equals(to) && constant && drift.offset() == 0) {
      return LongUnaryOperator.identity();
    }
    if (same && constant) {
      long whole = Math.floorDiv(clock.wallOffset() - to.wallOffset() + SAME_BOOT / 2, SAME_BOOT);
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
