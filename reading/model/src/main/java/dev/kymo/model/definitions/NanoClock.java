package dev.kymo.model.definitions;

import dev.kymo.format.Clock;

/**
 * Converts clock ticks to nanoseconds since a base, exactly as {@link Clock#nanos} does, but with
 * one multiplication instead of two divisions as long as the times stay within one second. Not safe
 * for use by several threads: each makes its own.
 */
public final class NanoClock {
  private static final long NANOS = 1_000_000_000L;

  private final Clock clock;
  private final long base;
  private final boolean identity;
  private final boolean exact;
  private final long factor;
  private long secondTicks;
  private long secondNanos;

  /** Times are counted from {@code base}, in ticks. */
  public NanoClock(Clock clock, long base) {
    this.clock = clock;
    this.base = base;
    long frequency = clock.frequency();
    this.identity = frequency == NANOS;
    // 2^64 * NANOS / frequency, rounded up; within a second its error stays below one tick's part
    // if frequency^2 < 2^64.
    this.exact = frequency > NANOS && frequency < 1L << 32;
    this.factor = exact ? factor(frequency) : 0;
  }

  private static long factor(long frequency) {
    java.math.BigInteger two64 = java.math.BigInteger.ONE.shiftLeft(64);
    java.math.BigInteger f = java.math.BigInteger.valueOf(frequency);
    return two64
        .multiply(java.math.BigInteger.valueOf(NANOS))
        .add(f.subtract(java.math.BigInteger.ONE))
        .divide(f)
        .longValue();
  }

  /** Nanoseconds from the base to a clock at or after it. */
  public long nanos(long at) {
    long ticks = at - base;
    if (identity) {
      return ticks;
    }
    long rest = ticks - secondTicks;
    if (rest < 0 || rest >= clock.frequency() || !exact) {
      return otherSecond(ticks);
    }
    return secondNanos + Math.unsignedMultiplyHigh(rest, factor);
  }

  /** Nanoseconds a number of ticks takes. */
  public long duration(long ticks) {
    return exact && ticks >= 0 && ticks < clock.frequency()
        ? Math.unsignedMultiplyHigh(ticks, factor)
        : clock.nanos(ticks);
  }

  /** The first clock that is at or after a time; times beyond all clocks give a late one. */
  public long ticks(long nanos) {
    long latest = Long.MAX_VALUE / 4 / Math.max(1, clock.frequency() / NANOS);
    long time = Math.clamp(nanos, 0, latest);
    long at = clock.ticks(time);
    while (clock.nanos(at) < time) {
      at++;
    }
    return base + at;
  }

  private long otherSecond(long ticks) {
    if (ticks >= 0) {
      long seconds = ticks / clock.frequency();
      secondTicks = seconds * clock.frequency();
      secondNanos = seconds * NANOS;
    }
    return clock.nanos(ticks);
  }
}
