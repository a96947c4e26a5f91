package dev.kymo.cli.view;

import dev.kymo.editing.slice.RecordingSlice;
import dev.kymo.model.index.Scratch;
import dev.kymo.server.page.StandalonePage;
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
    String why = StandalonePage.tooMuch(slice);
    if (!why.isEmpty()) {
      throw new IOException(
          why + "; choose a shorter range with --from and --to or fewer threads with --threads");
    }
    try (Scratch scratch = Scratch.make("slice");
        OutputStream to = new BufferedOutputStream(open(page))) {
      Path recording = Files.createDirectory(scratch.path().resolve(name));
      StandalonePage.write(slice, recording, to);
    }
    return "%d calls".formatted(slice.calls());
  }

  /** Writes into the empty file that was made for it, and into no other. */
  private static OutputStream open(Path page) throws IOException {
    return Files.newOutputStream(page, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }
}
