package dev.kymo.recorder.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.RingLayout;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where calls are counted, and how many are timed. */
class MethodCountersTest {
  private final MethodCounters counted = new MethodCounters(1, 0);
  @TempDir Path folder;

  private Counter timed;
  private Counter sampled;

  @BeforeEach
  void makeCounters() throws IOException {
    CallStack stack = new TestRing(folder.resolve("ring"), RingLayout.OVERWRITE).stack();
    Thread self = Thread.currentThread();
    timed = new Counter(self, stack, counted.index(MethodMode.TIMED), 0, false);
    sampled = new Counter(self, stack, counted.index(MethodMode.SAMPLED), 0, true);
  }

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
        sampled.countTimed(false);
        clocks++;
      }
    }
    assertThat(sampled.calls()).isEqualTo(calls);
    assertThat(clocks).isBetween(calls / 132, calls / 124);
  }
}
