package dev.kymo.analysis.costs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 64, 65, 128, 1000, 100_000})
  void percentilesAreWithinTwoPercent(int count) {
    SplittableRandom random = new SplittableRandom(count);
    Durations durations = new Durations();
    long[] all = new long[count];
    for (int i = 0; i < count; i++) {
      all[i] = random.nextLong(1L << (1 + random.nextInt(50)));
      durations.addDuration(all[i]);
    }
    Arrays.sort(all);
    for (double share : new double[] {0.01, 0.5, 0.9, 0.99, 1}) {
      long exact = all[(int) Math.max(1, Math.ceil(share * count)) - 1];
      assertThat(durations.percentile(share)).isCloseTo(exact, Percentage.withPercentage(1.6));
    }
  }

  @Test
  void nothingHasNoPercentiles() {
    assertThat(new Durations().percentile(0.5)).isZero();
  }

  @Test
  void extremesFit() {
    Durations durations = new Durations();
    for (int i = 0; i < 100; i++) {
      durations.addDuration(Long.MAX_VALUE);
      durations.addDuration(-1);
    }
    assertThat(durations.percentile(0.1)).isZero();
    assertThat(durations.percentile(0.99))
        .isCloseTo(Long.MAX_VALUE, Percentage.withPercentage(1.6));
  }
}
