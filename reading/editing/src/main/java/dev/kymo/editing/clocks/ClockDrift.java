package dev.kymo.editing.clocks;

/**
 * Amount by which a clock is behind another one: a difference that grows evenly.
 *
 * @param offset nanoseconds to be added to its times at one moment
 * @param moment that moment by this clock, nanoseconds since 1970
 * @param rate nanoseconds that the offset grows in a nanosecond
 */
public record ClockDrift(long offset, long moment, double rate) {
  public static ClockDrift constant(long offset) {
    return new ClockDrift(offset, 0, 0);
  }

  /** What is to be added at a time by this clock. */
  public long at(long time) {
    return rate == 0 ? offset : offset + Math.round((time - moment) * rate);
  }

  /** How much the other clock is behind this one. */
  public ClockDrift inverse() {
    return new ClockDrift(-offset, moment + offset, 1 / (1 + rate) - 1);
  }

  /**
   * How much this clock is behind a third one.
   *
   * @param next how much the other clock is behind the third one
   */
  public ClockDrift then(ClockDrift next) {
    long there = moment + offset;
    return new ClockDrift(offset + next.at(there), moment, (1 + rate) * (1 + next.rate) - 1);
  }
}
