package dev.kymo.kernel.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitedLogTest {
  @Test
  void nobodyFillsTheLog() {
    List<String> log = new ArrayList<>();
    LimitedLog limited = new LimitedLog(log::add);
    for (int i = 0; i < 100_000; i++) {
      limited.accept("message " + i);
    }
    assertThat(log).startsWith("message 0", "message 1").hasSizeBetween(20, 2000);
  }
}
