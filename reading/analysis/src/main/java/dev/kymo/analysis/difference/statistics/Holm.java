package dev.kymo.analysis.difference.statistics;

import java.util.Arrays;
import java.util.Comparator;

/** Holm's correction for the wrong answers that many questions bring. */
public final class Holm {
  private Holm() {}

  /** Probabilities that are to be held against a limit, whatever the number of questions. */
  public static double[] corrected(double[] probabilities) {
    Integer[] order = new Integer[probabilities.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingDouble(i -> probabilities[i]));
    double[] corrected = new double[order.length];
    double largest = 0;
    for (int i = 0; i < order.length; i++) {
      largest = Math.max(largest, Math.min(1, probabilities[order[i]] * (order.length - i)));
      corrected[order[i]] = largest;
    }
    return corrected;
  }
}
