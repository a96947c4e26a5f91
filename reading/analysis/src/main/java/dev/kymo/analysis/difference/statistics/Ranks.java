package dev.kymo.analysis.difference.statistics;

import java.util.Arrays;
import java.util.Comparator;

/** Test of Mann and Whitney: whether numbers of one set tend to be larger than those of another. */
public final class Ranks {
  private Ranks() {}

  /**
   * Probability that sets which do not differ look as different as these: two-sided, with the
   * normal approximation and the correction for equal numbers. 1 if there are fewer than four in a
   * set.
   */
  public static double probability(double[] one, double[] other) {
    int n = one.length;
    int m = other.length;
    if (n < 4 || m < 4) {
      return 1;
    }
    double[] all = Arrays.copyOf(one, n + m);
    System.arraycopy(other, 0, all, n, m);
    Integer[] order = new Integer[n + m];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingDouble(i -> all[i]));
    double sum = 0;
    double ties = 0;
    for (int i = 0; i < order.length; ) {
      int end = i + 1;
      while (end < order.length && all[order[end]] == all[order[i]]) {
        end++;
      }
      double equal = end - i;
      ties += equal * equal * equal - equal;
      double rank = (i + end + 1) / 2.0;
      for (; i < end; i++) {
        sum += order[i] < n ? rank : 0;
      }
    }
    double total = n + (double) m;
    double mean = n * (total + 1) / 2;
    double variance = n * (double) m / 12 * (total + 1 - ties / (total * (total - 1)));
    if (variance <= 0) {
      return 1;
    }
    double away = Math.max(0, Math.abs(sum - mean) - 0.5);
    return 2 * Normal.above(away / Math.sqrt(variance));
  }

  /**
   * The same for numbers in the order of time, of which neighbours are alike: of each so many in a
   * row only the median counts.
   *
   * @param blocks of each set, at most
   */
  public static double probabilityOfBlocks(double[] one, double[] other, int blocks) {
    return probability(Quantiles.blockMedians(one, blocks), Quantiles.blockMedians(other, blocks));
  }
}
