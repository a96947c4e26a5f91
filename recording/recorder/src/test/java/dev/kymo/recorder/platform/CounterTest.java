package dev.kymo.recorder.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.format.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterTest {
  /** Of Apple's M1, Ampere's Altra, QEMU 7.2, Graviton 2, ARMv8.6, and Graviton 3. */
  @ParameterizedTest
  @CsvSource({
    "24000000, false",
    "25000000, false",
    "62500000, false",
    "121875000, false",
    "499999999, false",
    "500000000, true",
    "1000000000, true",
    "1050000000, true"
  })
  void fineEnoughForCalls(long frequency, boolean fine) {
    assertThat(ProcessorCounter.isFine(frequency)).isEqualTo(fine);
  }

  @ParameterizedTest
  @CsvSource({"amd64, tsc", "aarch64, cntvct", "riscv64, ''"})
  void eachProcessorHasItsOwn(String architecture, String name) {
    assertThat(ProcessorCounter.name(architecture)).isEqualTo(name);
  }

  @Test
  void anotherProcessorsCounterIsRefused() {
    String other = ProcessorCounter.name().equals(Clock.TSC) ? Clock.CNTVCT : Clock.TSC;
    assertThatThrownBy(() -> TickClock.handle(other))
        .hasMessage(
            "this processor does not have the clock of the recording: clock="
                + other
                + "; record with --clock monotonic");
  }
}
