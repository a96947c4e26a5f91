package dev.kymo.network.send;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The file {@code .sent} of a spool, a recording that is here only until it was sent: a line for
 * each stream, with the bytes that the receiver has on disk and the spool no longer needs to have.
 */
public final class SpoolState {
  private static final String NAME = ".sent";

  private SpoolState() {}

  /** Whether a directory is a spool. */
  public static boolean isSpool(Path directory) {
    return Files.isRegularFile(directory.resolve(NAME), LinkOption.NOFOLLOW_LINKS);
  }

  /** Bytes of each stream that are on the receiver's disk. */
  static Map<String, Long> read(Path directory) throws IOException {
    Map<String, Long> sent = new TreeMap<>();
    if (isSpool(directory)) {
      for (String line : Files.readAllLines(directory.resolve(NAME))) {
        int space = line.indexOf(' ');
        sent.put(line.substring(space + 1), Long.parseLong(line.substring(0, space)));
      }
    }
    return sent;
  }

  /** Writes it; before space is given up, so that nothing is looked for there. */
  static void write(Path directory, Map<String, Long> sent) throws IOException {
    StringBuilder lines = new StringBuilder();
    sent.forEach((name, bytes) -> lines.append(bytes).append(' ').append(name).append('\n'));
    WholeFile.write(directory.resolve(NAME), lines);
  }
}
