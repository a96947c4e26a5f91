package dev.kymo.format;

import java.math.BigInteger;

/**
 * The clock of a recording and how it relates to wall time.
 *
 * @param name one of the constants here, or that of another program's clock
 * @param frequency ticks per second, above 0
 * @param wallOffset nanoseconds since 1970 (UTC) at tick 0
 */
public record Clock(String name, long frequency, long wallOffset) {
  /** The name of the time stamp counter of x86-64. */
  public static final String TSC = "tsc";

  /** The name of the counter of ARM64, the register {@code CNTVCT_EL0}. */
  public static final String CNTVCT = "cntvct";

  /** The name of the system's monotonic clock, which {@code System.nanoTime()} reads. */
  public static final String MONOTONIC = "monotonic";

  /** The name of a clock that counts executed instructions, each as a nanosecond. */
  public static final String INSTRUCTIONS = "instructions";

  private static final long NANOS = 1_000_000_000L;

  public Clock {
    if (frequency <= 0) {
      throw new IllegalArgumentException(
          "clock frequency must be positive: frequency=" + frequency);
    }
  }

  /** Nanoseconds that {@code ticks} take, rounded down; exact over the whole range. */
  public long nanos(long ticks) {
    if (frequency == NANOS) {
      return ticks;
    }
    long seconds = ticks / frequency;
    return seconds * NANOS + mulDiv(ticks % frequency, NANOS, frequency);
  }

  /** Ticks that {@code nanos} take, rounded down. */
  public long ticks(long nanos) {
    if (frequency == NANOS) {
      return nanos;
    }
    long seconds = nanos / NANOS;
    return seconds * frequency + mulDiv(nanos % NANOS, frequency, NANOS);
  }

  /** a * b / c for a &lt; c, where the product may need more than 64 bits. */
  private static long mulDiv(long a, long b, long c) {
    if (Math.multiplyHigh(a, b) == 0 && a * b >= 0) {
      return a * b / c;
    }
    return BigInteger.valueOf(a)
        .multiply(BigInteger.valueOf(b))
        .divide(BigInteger.valueOf(c))
        .longValueExact();
  }
}
