package dev.kymo.model.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NanoClockTest {
  /** It may be faster than the clock that it converts, but never differs from it. */
  @Test
  void agreesWithItsClock() {
    SplittableRandom random = new SplittableRandom(20261125);
    long[] frequencies = {1, 32_768, 1_000_000_000, 1_000_000_001, 2_445_406_000L, 4_294_967_295L};
    for (long frequency : frequencies) {
      Clock clock = new Clock("a", frequency, 0);
      NanoClock fast = new NanoClock(clock, 77);
      for (int i = 0; i < 10_000; i++) {
        long ticks = random.nextLong(1L << random.nextInt(1, 50));
        assertThat(fast.nanos(77 + ticks)).isEqualTo(clock.nanos(ticks));
        assertThat(fast.duration(ticks)).isEqualTo(clock.nanos(ticks));
        assertThat(fast.duration(-ticks)).isEqualTo(clock.nanos(-ticks));
      }
      assertThat(fast.duration(frequency - 1)).isEqualTo(clock.nanos(frequency - 1));
      assertThat(fast.duration(frequency)).isEqualTo(clock.nanos(frequency));
    }
  }
}
