package dev.kymo.recorder.platform;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads facts about processes from {@code /proc}. */
public final class ProcFiles {
  private ProcFiles() {}

  /**
   * Start of a process in clock ticks since boot, which together with the id names it for good. One
   * whose first thread has ended is a zombie by its state, but goes on if it has other threads.
   *
   * @param pid a number or {@code self}
   * @return 0 if there is no such process
   */
  public static long startTime(String pid) {
    try {
      String[] fields = stat(pid);
      boolean ended = fields[0].equals("Z") && Integer.parseInt(fields[17]) <= 1;
      return ended ? 0 : Long.parseLong(fields[19]);
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  public static int parent() {
    try {
      return Integer.parseInt(stat("self")[1]);
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  /** The words of the command line, with U+001F between them, which the drainer takes out. */
  public static String commandLine() {
    try {
      return Files.readString(Path.of("/proc/self/cmdline"), StandardCharsets.ISO_8859_1)
          .replaceFirst("\0+$", "")
          .replace('\0', '\u001f');
    } catch (IOException e) {
      return "";
    }
  }

  /** The kernel's number of the calling platform thread, or of the carrier. */
  public static int threadId() {
    try {
      return Integer.parseInt(
          Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString());
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  /**
   * Fields from the third (state) on; the second, the name, may contain anything. They are read of
   * the first thread: what QEMU's user mode makes of a process's own file has another start for
   * each thread that reads it.
   */
  private static String[] stat(String pid) throws IOException {
    Path process = Path.of("/proc", pid);
    Path file = pid.equals("self") ? process : process.resolve("task").resolve(pid);
    String line = Files.readString(file.resolve("stat"), StandardCharsets.ISO_8859_1);
    return line.substring(line.lastIndexOf(')') + 2).split(" ");
  }
}
