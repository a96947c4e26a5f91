package dev.kymo.analysis.difference.statistics;

/** An estimate with its 95 % confidence interval. */
public record Interval(double low, double value, double high) {
  public static Interval exact(double value) {
    return new Interval(value, value, value);
  }

  /** The same in another unit. */
  public Interval times(double factor) {
    return factor >= 0
        ? new Interval(low * factor, value * factor, high * factor)
        : new Interval(high * factor, value * factor, low * factor);
  }
}
