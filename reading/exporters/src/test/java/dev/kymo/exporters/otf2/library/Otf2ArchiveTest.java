package dev.kymo.exporters.otf2.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library crashes on a full disk, so it is never asked to write to one. */
class Otf2ArchiveTest {
  private static final long PLENTY = 1L << 30;

  @TempDir Path directory;

  private final AtomicLong free = new AtomicLong(PLENTY);

  private Otf2Archive archive() {
    try {
      return new Otf2Archive(directory, free::get);
    } catch (IOException e) {
      assumeTrue(false, "skipped: " + e.getMessage());
      throw new AssertionError(e);
    }
  }

  @Test
  @Tag("peer")
  void aDiskThatFillsWhileEventsAreWritten() {
    try (Otf2Archive archive = archive()) {
      assertThatThrownBy(() ->
              archive.events(
                  0,
                  events -> {
                    for (int i = 0; i < 10_000; i++) {
                      events.enter(i, 0);
                      free.set(i < 5_000 ? PLENTY : 1_000_000);
                    }
                  }))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("the disk is full: free=1000000 needed=16777216");
    }
  }

  @Test
  @Tag("peer")
  void aDiskThatIsFullWhenEventsAreComplete() {
    try (Otf2Archive archive = archive()) {
      assertThatThrownBy(() ->
              archive.events(
                  0,
                  events -> {
                    events.enter(1, 0);
                    free.set(5);
                  }))
          .isInstanceOf(UncheckedIOException.class);
      free.set(PLENTY);
    }
    assertThat(directory).exists();
  }
}
