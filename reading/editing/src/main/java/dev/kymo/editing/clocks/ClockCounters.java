package dev.kymo.editing.clocks;

import dev.kymo.format.Clock;
import java.util.Set;

/** Comparison of the counters behind clocks of recordings. */
public final class ClockCounters {
  /** Clocks of one boot that were related to wall time twice differ by less, nanoseconds. */
  public static final long SAME_BOOT = 1_000_000_000L;

  private static final Set<String> COUNTERS = Set.of(Clock.TSC, Clock.CNTVCT, Clock.MONOTONIC);

  private static final double SAME_FREQUENCY = 1e-4;

  private ClockCounters() {}

  /** Whether two clocks are the same counter of the same machine since the same boot. */
  public static boolean areSame(Clock one, Clock other) {
    return COUNTERS.contains(one.name())
        && one.name().equals(other.name())
        && areAsFast(one, other)
        && Math.abs(one.wallOffset() - other.wallOffset()) < SAME_BOOT;
  }

  /** Whether ticks of one are ticks of the other. */
  public static boolean areAsFast(Clock one, Clock other) {
    return Math.abs((double) one.frequency() / other.frequency() - 1) < SAME_FREQUENCY;
  }
}
