package dev.kymo.analysis.difference.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Against values of statistical tables, and against what the methods promise. */
class StatisticsTest {
  @Test
  void studentsDistribution() {
    // t tables: two-sided
    assertThat(Normal.student(2.776, 4)).isCloseTo(0.05, within(1e-4));
    assertThat(Normal.student(4.604, 4)).isCloseTo(0.01, within(1e-4));
    assertThat(Normal.student(1.960, 1e7)).isCloseTo(0.05, within(1e-4));
    assertThat(Normal.student(0, 10)).isEqualTo(1);
    assertThat(Normal.studentQuantile(0.05, 10)).isCloseTo(2.228, within(1e-3));
    assertThat(Normal.above(1.6449)).isCloseTo(0.05, within(1e-4));
  }

  @Test
  void ranks() {
    double[] low = {1, 2, 3, 4, 5, 6, 7, 8};
    double[] high = {9, 10, 11, 12, 13, 14, 15, 16};
    // U = 0 of 8 and 8: z = 31.5 / sqrt(90.667)
    assertThat(Ranks.probability(low, high)).isCloseTo(0.00094, within(2e-5));
    assertThat(Ranks.probability(low, low)).isEqualTo(1, within(1e-9));
    assertThat(Ranks.probability(new double[] {1, 1, 1, 1}, new double[] {1, 1, 1, 1}))
        .isEqualTo(1);
    assertThat(Ranks.probability(new double[] {1, 2, 3}, high)).isEqualTo(1);
  }

  @Test
  void holm() {
    assertThat(Holm.corrected(new double[] {0.04, 0.01, 0.03}))
        .containsExactly(new double[] {0.06, 0.03, 0.06}, within(1e-12));
    assertThat(Holm.corrected(new double[] {0.9, 0.8})).containsExactly(1, 1);
  }

  @Test
  void intervalsHoldTheTruthAsOftenAsTheySay() {
    SplittableRandom random = new SplittableRandom(7);
    int held = 0;
    for (int i = 0; i < 300; i++) {
      double[] one = random.doubles(120).toArray();
      double[] other = random.doubles(120).map(v -> v + 0.2).toArray();
      Interval interval = Bootstrap.ofDifference(one, other);
      held += interval.low() <= 0.2 && interval.high() >= 0.2 ? 1 : 0;
    }
    assertThat(held / 300.0).isBetween(0.88, 0.99);
  }

  @Test
  void quantiles() {
    assertThat(Quantiles.median(new double[] {3, 1, 2, 10})).isEqualTo(2.5);
    assertThat(Quantiles.spread(new double[] {1, 2, 3, 4, 1000})).isCloseTo(1.4826, within(1e-9));
    assertThat(Quantiles.of(new double[0], 0.5)).isZero();
  }
}
