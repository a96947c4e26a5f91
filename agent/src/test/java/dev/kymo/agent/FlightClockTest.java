package dev.kymo.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FlightClockTest {
  private final FlightClock clock = new FlightClock();

  @Test
  void convertsBetweenAndBeyondPairs() {
    clock.add(1, 90, 110, 1000);
    assertThat(clock.isReady()).isFalse();
    clock.add(2, 190, 210, 1200);
    clock.add(3, 290, 310, 1500);
    assertThat(clock.isReady()).isTrue();
    assertThat(clock.convert(100)).isEqualTo(1000);
    assertThat(clock.convert(150)).isEqualTo(1100);
    assertThat(clock.convert(250)).isEqualTo(1350);
    assertThat(clock.convert(300)).isEqualTo(1500);
    assertThat(clock.convert(0)).as("before the first").isEqualTo(800);
    assertThat(clock.convert(400)).as("behind the last").isEqualTo(1800);
    assertThat(clock.latest()).isEqualTo(1500);
  }

  @Test
  void theQuickestReadingOfARoundCounts() {
    clock.add(1, 0, 50, 700);
    clock.add(1, 100, 102, 1010);
    clock.add(1, 200, 240, 1200);
    clock.add(2, 299, 301, 3000);
    assertThat(clock.convert(101)).isEqualTo(1010);
    assertThat(clock.convert(300)).isEqualTo(3000);
  }

  @Test
  void aClockThatStoodIsPassedOver() {
    clock.add(1, 10, 10, 100);
    clock.add(2, 20, 20, 100);
    clock.add(3, 30, 30, 300);
    assertThat(clock.convert(20)).isEqualTo(200);
  }

  @Test
  void aLongRecordingKeepsPairsFromAllItsTime() {
    for (int i = 0; i < 20_000; i++) {
      clock.add(i, 10L * i, 10L * i, later(i));
    }
    for (int i = 100; i < 19_990; i += 777) {
      assertThat(clock.convert(10L * i)).isCloseTo(later(i), within(500L));
    }
  }

  /** A clock that goes faster by a hundredth in the second half. */
  private static long later(int i) {
    return 100L * i + Math.max(0, i - 10_000);
  }
}
