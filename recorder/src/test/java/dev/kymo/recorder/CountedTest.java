package dev.kymo.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Definition.MethodMode;
import org.junit.jupiter.api.Test;

/** Where calls are counted, and how many are timed. */
class CountedTest {
  private final Counted counted = new Counted(1, 0);
  private final Counter timed = new Counter(Thread.currentThread(), 0, false);
  private final Counter sampled = new Counter(Thread.currentThread(), 0, true);

  @Test
  void aCounterServesItsOwnModeOnly() {
    counted.busiest(sampled);
    counted.mode = MethodMode.SAMPLED; // stepped down after the busiest was looked for
    counted.busiest(timed);
    assertThat(counted.busiest(MethodMode.SAMPLED)).isSameAs(sampled);
    assertThat(counted.busiest(MethodMode.TIMED)).isSameAs(timed);
  }

  @Test
  void someSampledCallsAreTimedAndAllAreCounted() {
    int calls = 1_000_000;
    int clocks = 0;
    for (int i = 0; i < calls; i++) {
      if (sampled.calls() != i) {
        throw new AssertionError(sampled.calls() + " instead of " + i);
      }
      if (!sampled.countUntimed()) {
        sampled.countTimed();
        clocks++;
      }
    }
    assertThat(sampled.calls()).isEqualTo(calls);
    assertThat(clocks).isBetween(calls / 132, calls / 124);
  }
}
