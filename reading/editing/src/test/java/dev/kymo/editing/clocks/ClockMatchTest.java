package dev.kymo.editing.clocks;

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

  /** As another recorder saw them: on its own clock, some microseconds earlier or later. */
  private long[] seen(long[] moments, long difference, int least) {
    return LongStream.of(moments)
        .filter(at -> random.nextInt(10) > 1) // and not all
        .map(at -> at + difference + least + random.nextInt(20_000))
        .sorted()
        .toArray();
  }

  private static Moments ends(Map<Integer, long[]> times) {
    return new Moments(Map.of(), times);
  }

  @Test
  void theDifferenceIsFound() {
    long[] one = moments(300);
    long[] two = moments(200);
    long difference = -1_700_000_000_123_456_789L;
    ClockMatch match =
        ClockMatch.find(
                ends(Map.of(7, one, 8, two, 9, moments(50))),
                ends(Map.of(7, seen(one, difference, 0), 8, seen(two, difference, 0))))
            .orElseThrow();
    assertThat(-match.offset() - difference).isBetween(0L, 20_000L);
    assertThat(match.error()).isBetween(1L, 20_000L);
    assertThat(match.pairs()).isGreaterThan(300);
  }

  /** The kernel gives the processor back before the wait is seen to end. */
  @Test
  void theErrorCoversHowLateWaitsEnd() {
    long[] begins = moments(300);
    long[] ends = LongStream.of(begins).map(at -> at + 5_000_000).toArray();
    long difference = 77_000_000_000L;
    ClockMatch match =
        ClockMatch.find(
                new Moments(Map.of(7, begins), Map.of(7, ends)),
                new Moments(
                    Map.of(7, seen(begins, difference, 2_000)),
                    Map.of(7, seen(ends, difference, -60_000))))
            .orElseThrow();
    assertThat(Math.abs(-match.offset() - difference)).isLessThanOrEqualTo(match.error());
    assertThat(match.error()).isBetween(10_000L, 60_000L);
  }

  @Test
  void whatHasNothingInCommonIsNotMatched() {
    Moments one = ends(Map.of(7, moments(300)));
    assertThat(ClockMatch.find(one, ends(Map.of(7, moments(300))))).isEmpty();
    assertThat(ClockMatch.find(one, ends(Map.of(8, moments(300))))).isEmpty();
    assertThat(ClockMatch.find(ends(Map.of()), ends(Map.of()))).isEmpty();
  }

  /** Any multiple of the period would do. */
  @Test
  void whatRepeatsItselfIsNotClear() {
    long[] regular = LongStream.range(0, 300).map(i -> i * 10_000_000).toArray();
    assertThat(ClockMatch.find(ends(Map.of(7, regular)), ends(Map.of(7, regular)))).isEmpty();
  }
}
