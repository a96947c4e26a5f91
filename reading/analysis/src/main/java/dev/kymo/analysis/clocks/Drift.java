package dev.kymo.analysis.clocks;

/**
 * How much a clock is behind another one: a difference that grows evenly.
 *
 * @param offset nanoseconds to be added to its times at one moment
 * @param moment that moment by this clock, nanoseconds since 1970
 * @param rate nanoseconds that the offset grows in a nanosecond
 */
public record Drift(long offset, long moment, double rate) {
  /** A difference that stays. */
  public static Drift constant(long offset) {
    return new Drift(offset, 0, 0);
  }

  /** What is to be added at a time by this clock. */
  public long at(long time) {
    return rate == 0 ? offset : offset + Math.round((time - moment) * rate);
  }
}
