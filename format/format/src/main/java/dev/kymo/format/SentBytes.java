package dev.kymo.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The file {@code .sent} of a spool, a recording that is here only until it was sent: a line for
 * each stream, with the bytes that the receiver has on disk. What was there before may be gone: it
 * reads as zeros. A packet begins after them.
 */
public final class SentBytes {
  /** The file's name in the recording's directory. */
  public static final String FILE = ".sent";

  private SentBytes() {}

  public static boolean isSpool(Path directory) {
    return Files.isRegularFile(directory.resolve(FILE), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Bytes of each stream, by its file's name; empty if the directory is no spool.
   *
   * @throws IOException also if the file is damaged
   */
  public static Map<String, Long> read(Path directory) throws IOException {
    Map<String, Long> sent = new TreeMap<>();
    if (isSpool(directory)) {
      for (String line : Files.readAllLines(directory.resolve(FILE))) {
        int space = line.indexOf(' ');
        try {
          sent.put(
              line.substring(space + 1), Long.parseLong(line.substring(0, Math.max(0, space))));
        } catch (NumberFormatException e) {
          throw new IOException("not a line of a spool: file=" + directory.resolve(FILE), e);
        }
      }
    }
    return sent;
  }

  public static String text(Map<String, Long> sent) {
    StringBuilder lines = new StringBuilder();
    sent.forEach((name, bytes) -> lines.append(bytes).append(' ').append(name).append('\n'));
    return lines.toString();
  }
}
