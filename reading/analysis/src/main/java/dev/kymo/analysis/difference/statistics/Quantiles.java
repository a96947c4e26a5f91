package dev.kymo.analysis.difference.statistics;

import java.util.Arrays;

/** Quantiles of a few numbers. */
public final class Quantiles {
  private Quantiles() {}

  /** A copy, smallest first. */
  public static double[] sorted(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted;
  }

  /** A quantile between neighbours; 0 of nothing. */
  public static double of(double[] sorted, double share) {
    if (sorted.length == 0) {
      return 0;
    }
    double at = share * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(sorted.length - 1, below + 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }

  public static double median(double[] values) {
    return of(sorted(values), 0.5);
  }

  /** How far numbers are from their median, as a standard deviation: outliers do not count. */
  public static double spread(double[] values) {
    double middle = median(values);
    double[] away = new double[values.length];
    Arrays.setAll(away, i -> Math.abs(values[i] - middle));
    return 1.4826 * median(away);
  }

  /** Medians of so many parts of about the same length, in order. */
  static double[] blockMedians(double[] values, int blocks) {
    int count = Math.min(blocks, values.length);
    double[] medians = new double[count];
    for (int i = 0; i < count; i++) {
      int from = (int) ((long) i * values.length / count);
      int to = (int) ((long) (i + 1) * values.length / count);
      medians[i] = median(Arrays.copyOfRange(values, from, to));
    }
    return medians;
  }
}
