package dev.kymo.testkit.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The processor time of this process and of all the programs it has waited for. */
final class ProcessorTime {
  private static final long MILLIS_PER_TICK = 10;

  /** Place of utime in /proc/self/stat, counted from the state; stime, cutime and cstime follow. */
  private static final int USER = 11;

  private ProcessorTime() {}

  static long millis() {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      long ticks = 0;
      for (int i = USER; i < USER + 4; i++) {
        ticks += Long.parseLong(words[i]);
      }
      return ticks * MILLIS_PER_TICK;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
