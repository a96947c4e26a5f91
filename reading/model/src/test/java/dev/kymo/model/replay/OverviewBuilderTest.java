package dev.kymo.model.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import dev.kymo.model.definitions.NanoClock;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OverviewBuilderTest {
  private static final long MILLIS = 1_000_000;
  private final OverviewBuilder builder = new OverviewBuilder();
  private final NanoClock clock = new NanoClock(new Clock(Clock.MONOTONIC, 1_000_000_000, 0), 0);

  /** One packet with bursts and pauses: drawn evenly, it would hide both. */
  @Test
  void countsEventsWhereTheyHappened() {
    long[] clocks = new long[400];
    Arrays.fill(clocks, 0, 300, 2 * MILLIS);
    Arrays.fill(clocks, 300, 400, 38 * MILLIS);
    builder.add(clock, clocks, clocks.length);
    Overview overview = builder.build();
    assertThat(at(overview, 2 * MILLIS)).isEqualTo(300);
    assertThat(at(overview, 38 * MILLIS)).isEqualTo(100);
    assertThat(LongStream.of(overview.events()).sum()).isEqualTo(400);
  }

  @Test
  void agreesWithCountingEachEvent() {
    SplittableRandom random = new SplittableRandom(20261122);
    for (int round = 0; round < 50; round++) {
      OverviewBuilder some = new OverviewBuilder();
      long[] all = new long[0];
      for (int batch = 0; batch < 5; batch++) {
        long end = 1 + random.nextLong(1L << random.nextInt(10, 40));
        long[] clocks = random.longs(1 + random.nextInt(300), 0, end).sorted().toArray();
        some.add(clock, clocks, clocks.length);
        all = LongStream.concat(LongStream.of(all), LongStream.of(clocks)).toArray();
      }
      Overview overview = some.build();
      long[] expected = new long[overview.events().length];
      for (long time : all) {
        expected[(int) (time / overview.width())]++;
      }
      assertThat(overview.events()).isEqualTo(expected);
    }
  }

  @Test
  void spreadsALossOverItsGap() {
    builder.addLost(0, 4 * 1024, 8);
    assertThat(Arrays.copyOf(builder.build().lost(), 4)).containsExactly(2, 2, 2, 2);
  }

  private static long at(Overview overview, long time) {
    return overview.events()[(int) (time / overview.width())];
  }
}
