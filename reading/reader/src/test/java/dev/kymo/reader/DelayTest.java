package dev.kymo.reader;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Events that come late, here by 30 ns, which are 60 ticks. */
class DelayTest {
  private final Delay delay = new Delay(30, 60);

  @Test
  void aClockThatAdvances() {
    assertThat(delay.until(1000, 0)).isEqualTo(940);
    assertThat(delay.until(1020, 10)).isEqualTo(960);
    assertThat(delay.until(1060, 30)).isEqualTo(1000);
  }

  @Test
  void aClockThatStandsStill() {
    assertThat(delay.until(1000, 0)).isEqualTo(940);
    assertThat(delay.until(1010, 10)).isEqualTo(950);
    assertThat(delay.until(1010, 29)).isEqualTo(950);
    assertThat(delay.until(1010, 30)).isEqualTo(1000);
    assertThat(delay.until(1010, 39)).isEqualTo(1000);
    assertThat(delay.until(1010, 40)).isEqualTo(1010);
    assertThat(delay.until(1010, 1000)).isEqualTo(1010);
    assertThat(delay.until(1020, 1001)).isEqualTo(1010);
    assertThat(delay.until(1020, 1031)).isEqualTo(1020);
  }

  @Test
  void noClock() {
    assertThat(delay.until(Long.MIN_VALUE, 0)).isEqualTo(Long.MIN_VALUE);
    assertThat(delay.until(Long.MIN_VALUE, 100)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void noDelay() {
    assertThat(new Delay(0, 0).until(1000, 5)).isEqualTo(1000);
  }
}
