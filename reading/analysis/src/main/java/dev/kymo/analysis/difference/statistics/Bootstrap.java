package dev.kymo.analysis.difference.statistics;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * By how much typical numbers of two sets differ, and how far that may be off, by drawing again
 * from what was measured. Typical is the mean of the middle half: what disturbs a program from
 * outside makes some calls much longer. Numbers are in the order of time, and drawn as neighbours,
 * since disturbances last for several calls. The same numbers give the same answer every time.
 */
public final class Bootstrap {
  private static final int DRAWS = 400;
  private static final int BLOCKS = 16;

  private Bootstrap() {}

  /** Of what is typical of the second set less what is of the first. */
  public static Interval ofDifference(double[] first, double[] second) {
    SplittableRandom random = new SplittableRandom(first.length * 31L + second.length);
    double[] differences = new double[DRAWS];
    for (int i = 0; i < DRAWS; i++) {
      differences[i] = draw(second, random) - draw(first, random);
    }
    Arrays.sort(differences);
    return new Interval(
        Quantiles.of(differences, 0.025),
        middle(second) - middle(first),
        Quantiles.of(differences, 0.975));
  }

  private static double draw(double[] from, SplittableRandom random) {
    int blocks = Math.min(BLOCKS, from.length);
    double[] drawn = new double[from.length + blocks];
    int count = 0;
    for (int i = 0; i < blocks; i++) {
      int block = random.nextInt(blocks);
      int begin = (int) ((long) block * from.length / blocks);
      int end = (int) ((long) (block + 1) * from.length / blocks);
      int fits = Math.min(end - begin, drawn.length - count);
      System.arraycopy(from, begin, drawn, count, fits);
      count += fits;
    }
    return middle(Arrays.copyOf(drawn, count));
  }

  /** The mean of the middle half; 0 of nothing. */
  public static double middle(double[] values) {
    double[] sorted = Quantiles.sorted(values);
    int cut = sorted.length / 4;
    return mean(Arrays.copyOfRange(sorted, cut, sorted.length - cut));
  }

  public static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(0);
  }
}
