package dev.kymo.analysis.clocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Two clocks are related by the moments at which the same threads went on. */
class ClockMatchTest {
  private final long seed = System.nanoTime();
  private final SplittableRandom random = new SplittableRandom(seed);

  private long[] moments(int count) {
    System.out.println("ClockMatchTest seed=" + seed);
    return LongStream.generate(() -> random.nextLong(10_000_000_000L))
        .limit(count)
        .sorted()
        .toArray();
  }

  /** As another recorder saw them: on its own clock, some microseconds later, and not all. */
  private long[] seenLater(long[] moments, long difference) {
    return LongStream.of(moments)
        .filter(at -> random.nextInt(10) > 1)
        .map(at -> at + difference + random.nextInt(20_000))
        .sorted()
        .toArray();
  }

  @Test
  void theDifferenceIsFound() {
    long[] one = moments(300);
    long[] two = moments(200);
    long difference = -1_700_000_000_123_456_789L;
    ClockMatch match =
        ClockMatch.find(
                Map.of(7, one, 8, two, 9, moments(50)),
                Map.of(7, seenLater(one, difference), 8, seenLater(two, difference)))
            .orElseThrow();
    assertThat(-match.offset() - difference).isBetween(0L, 20_000L);
    assertThat(match.error()).isBetween(1L, 20_000L);
    assertThat(match.pairs()).isGreaterThan(300);
  }

  @Test
  void whatHasNothingInCommonIsNotMatched() {
    assertThat(ClockMatch.find(Map.of(7, moments(300)), Map.of(7, moments(300)))).isEmpty();
    assertThat(ClockMatch.find(Map.of(7, moments(300)), Map.of(8, moments(300)))).isEmpty();
    assertThat(ClockMatch.find(Map.of(), Map.of())).isEmpty();
  }

  /** Any multiple of the period would do. */
  @Test
  void whatRepeatsItselfIsNotClear() {
    long[] regular = LongStream.range(0, 300).map(i -> i * 10_000_000).toArray();
    assertThat(ClockMatch.find(Map.of(7, regular), Map.of(7, regular))).isEmpty();
  }
}
