package dev.kymo.importers.ctf.type;

import java.math.BigInteger;

/**
 * A clock: what its ticks are, and where its zero lies.
 *
 * @param frequency ticks in a second, above 0
 * @param seconds from the origin to tick 0, with {@code ticks} more
 * @param isWall whether the origin is 1970 (UTC), as far as the metadata tells
 */
public record ClockClass(String name, long frequency, long seconds, long ticks, boolean isWall) {
  private static final long NANOS = 1_000_000_000L;

  /** A clock that the metadata does not describe: nanoseconds since nobody knows when. */
  public static final ClockClass UNKNOWN = new ClockClass("", NANOS, 0, 0, false);

  /** Nanoseconds from the origin to a tick, rounded down; those of more than 292 years wrap. */
  public long nanosAt(long tick) {
    return seconds * NANOS + nanos(ticks + tick);
  }

  /** Nanoseconds that a number of ticks take, rounded down. */
  public long nanos(long count) {
    if (frequency == NANOS) {
      return count;
    }
    long whole = Math.floorDiv(count, frequency);
    long rest = Math.floorMod(count, frequency);
    return whole * NANOS + part(rest);
  }

  private long part(long rest) {
    if (rest <= Long.MAX_VALUE / NANOS) {
      return rest * NANOS / frequency;
    }
    return BigInteger.valueOf(rest)
        .multiply(BigInteger.valueOf(NANOS))
        .divide(BigInteger.valueOf(frequency))
        .longValue();
  }
}
