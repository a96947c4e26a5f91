package dev.kymo.importers.uftrace.data;

import dev.kymo.importers.target.ForeignException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Lines of a text that nobody may trust: neither their number nor their length. */
final class TextLines {
  private static final int LONGEST = 64 * 1024;

  private TextLines() {}

  static void each(Path file, int most, Consumer<String> to) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) { // a FIFO would never end
      throw new ForeignException("not a file", file, 0, "");
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      int lines = 0;
      int next = in.read();
      while (next >= 0 && lines < most) {
        if (next == '\n') {
          to.accept(line.toString(StandardCharsets.UTF_8));
          line.reset();
          lines++;
        } else if (line.size() < LONGEST) {
          line.write(next);
        }
        next = in.read();
      }
      if (line.size() > 0) {
        to.accept(line.toString(StandardCharsets.UTF_8));
      }
    }
  }
}
