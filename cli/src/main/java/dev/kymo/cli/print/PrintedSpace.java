package dev.kymo.cli.print;

import dev.kymo.session.system.LinuxCalls;
import dev.kymo.session.system.PrintedBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Gives the space of what was printed back, of a recording that is made only to be printed. */
final class PrintedSpace implements AutoCloseable {
  /** Space is given back in pieces of this many bytes or more. */
  private static final long PIECE = 256 << 10;

  private final Path recording;
  private final PrintedBytes printed;
  private final Map<String, Long> freed = new HashMap<>();
  private long said;

  PrintedSpace(Path recording) throws IOException {
    this.recording = recording;
    this.printed = new PrintedBytes(recording);
  }

  /** Everything that was read was printed. */
  void free(FollowedLines lines) throws IOException {
    long[] sum = {0};
    try {
      lines.forEachRead((stream, offset) -> {
        sum[0] += offset;
        free(stream, offset);
      });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (sum[0] != said) {
      said = sum[0];
      printed.write(said);
    }
  }

  private void free(String stream, long offset) {
    long before = freed.getOrDefault(stream, 0L);
    if (offset - before >= PIECE) {
      try {
        LinuxCalls.punch(recording.resolve(stream), before, offset);
      } catch (IOException e) {
        throw new UncheckedIOException(
            new IOException(
                "space of what was printed cannot be given back: stream=%s error=\"%s\""
                    .formatted(stream, e.getMessage()),
                e));
      }
      freed.put(stream, offset);
    }
  }

  @Override
  public void close() throws IOException {
    printed.close();
  }
}
