package dev.kymo.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ClockTest {
  @Test
  void convertsWithoutRoundingThroughFloatingPoint() {
    Clock tsc = new Clock(Clock.TSC, 2_596_180_000L, 0);
    long day = 86_400L * 2_596_180_000L;
    assertThat(tsc.nanos(day * 365)).isEqualTo(365L * 86_400_000_000_000L);
    assertThat(tsc.nanos(day * 365 + 2_596_180)).isEqualTo(365L * 86_400_000_000_000L + 1_000_000);
    assertThat(tsc.ticks(86_400_000_000_000L)).isEqualTo(day);
  }

  @Test
  void nanosecondClockIsItself() {
    Clock clock = new Clock(Clock.MONOTONIC, 1_000_000_000L, 7);
    assertThat(clock.nanos(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void refusesAFrequencyThatIsNone() {
    assertThatThrownBy(() -> new Clock(Clock.TSC, 0, 0))
        .hasMessage("clock frequency must be positive: frequency=0");
  }
}
