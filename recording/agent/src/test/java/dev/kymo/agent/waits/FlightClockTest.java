package dev.kymo.agent.waits;

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

  /** Millisecond 1 and 3 were read at once; around 0 and 2 others had the processor. */
  @Test
  void aSlowReadingIsPassedOver() {
    clock.add(1, 0, 900_000, 0);
    clock.add(2, 999_950, 1_000_050, 1_000_000);
    clock.add(3, 2_000_000, 2_900_000, 2_000_000);
    assertThat(clock.latest()).as("of use").isEqualTo(1_000_000);
    assertThat(clock.latestFlight()).isEqualTo(1_000_000);
    clock.add(4, 2_999_950, 3_000_050, 3_000_000);
    assertThat(clock.convert(2_500_000)).isEqualTo(2_500_000);
    clock.add(5, 3_999_950, 4_000_050, 4_000_000);
    assertThat(clock.convert(500_000)).as("before the first").isEqualTo(500_000);
  }

  /** If all are slow, they are better than nothing; so is one after a long time. */
  @Test
  void slowReadingsCountWhereThereAreNoOthers() {
    clock.add(1, 0, 1000, 500);
    clock.add(2, 3_000_000_000L, 3_000_900_000L, 6_000_900_000L);
    clock.add(3, 6_000_000_000L, 6_000_000_100L, 12_000_000_000L);
    assertThat(clock.convert(3_000_450_000L)).isEqualTo(6_000_900_000L);
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
