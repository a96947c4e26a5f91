package dev.kymo.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private static final long SECOND = 1_000_000_000L;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private long now;

  private ProgressLine line() {
    return new ProgressLine(
        new PrintStream(out, true, StandardCharsets.UTF_8), "reading", () -> now);
  }

  private String shown() {
    return out.toString(StandardCharsets.UTF_8);
  }

  /** A file of 2 MB may unpack to gigabytes: a part of a second for each 64 KiB. */
  @Test
  void smallFilesThatTakeLongShowIt() {
    ProgressLine line = line();
    long all = 2_500_000;
    for (long done = 0; done < all; done += 65_536) {
      now += SECOND;
      line.progress(done, all);
    }
    assertThat(shown()).startsWith("\rreading 2 %\rreading 5 %\rreading 7 %");
    line.progress(all, all);
    assertThat(shown()).endsWith("\r\033[K");
  }

  @Test
  void whatIsSoonDoneIsNotShown() {
    ProgressLine line = line();
    for (int done = 0; done <= 100; done++) {
      line.progress(done, 100);
    }
    assertThat(shown()).isEmpty();
  }
}
