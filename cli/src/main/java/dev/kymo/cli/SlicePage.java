package dev.kymo.cli;

import dev.kymo.analysis.slice.RecordingSlice;
import dev.kymo.model.ProgressListener;
import dev.kymo.model.Scratch;
import dev.kymo.model.Timeline;
import dev.kymo.model.Timelines;
import dev.kymo.server.StandalonePage;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A slice as a page: it is written as a recording first, so that both say the same. */
final class SlicePage {
  private SlicePage() {}

  /**
   * Writes the page; says what is in it.
   *
   * @param name of the recording
   */
  static String write(RecordingSlice slice, String name, Path page) throws IOException {
    if (slice.calls() > StandalonePage.MAX_CALLS) {
      throw new IOException(
          "too many calls for a page: calls=%d max=%d; choose a shorter range with --from and --to or fewer threads with --threads, or write NAME.kymo"
              .formatted(slice.calls(), StandalonePage.MAX_CALLS));
    }
    if (slice.duration() > StandalonePage.MAX_DURATION) {
      throw new IOException(
          "too long a time for a page: duration=%d max=%d; choose a shorter range with --from and --to"
              .formatted(slice.duration(), StandalonePage.MAX_DURATION));
    }
    try (Scratch scratch = Scratch.make("slice")) {
      Path recording = Files.createDirectory(scratch.path().resolve(name));
      slice.write(recording, ProgressListener.NONE);
      try (Timeline timeline = Timelines.open(recording, ProgressListener.NONE);
          OutputStream to = new BufferedOutputStream(open(page))) {
        StandalonePage.write(timeline, to);
      }
    }
    return "%d calls".formatted(slice.calls());
  }

  /** Writes into the empty file that was made for it, and into no other. */
  private static OutputStream open(Path page) throws IOException {
    return Files.newOutputStream(page, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }
}
