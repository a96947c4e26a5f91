package dev.kymo.kernel;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The existing threads, as {@code /proc} shows them. */
final class ProcTasks {
  private static final Path PROC = Path.of("/proc");

  /**
   * A thread.
   *
   * @param parent process that made its process
   * @param waiting whether it waits for something
   */
  record ProcTask(int tid, int pid, int parent, String name, boolean waiting) {}

  private ProcTasks() {}

  /** All threads of this user; for root all threads. */
  static List<ProcTask> all() {
    List<ProcTask> found = new ArrayList<>();
    int user = user(PROC.resolve("self"));
    for (Path process : numbered(PROC)) {
      if (user != 0 && user(process) != user) {
        continue;
      }
      int pid = Integer.parseInt(process.getFileName().toString());
      for (Path thread : numbered(process.resolve("task"))) {
        try {
          found.add(parse(pid, Files.readString(thread.resolve("stat"))));
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
          // ended in the meantime
        }
      }
    }
    return found;
  }

  private static int user(Path process) {
    try {
      return (int) Files.getAttribute(process, "unix:uid");
    } catch (IOException e) {
      return -1; // ended in the meantime
    }
  }

  private static List<Path> numbered(Path folder) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "[0-9]*")) {
      entries.forEach(found::add);
    } catch (IOException e) {
      // ended in the meantime
    }
    return found;
  }

  /** The name stands in parentheses and may contain parentheses. */
  private static ProcTask parse(int pid, String stat) {
    int begin = stat.indexOf('(');
    int end = stat.lastIndexOf(')');
    String[] rest = stat.substring(end + 2).split(" ", 3);
    return new ProcTask(
        Integer.parseInt(stat.substring(0, begin - 1)),
        pid,
        Integer.parseInt(rest[1]),
        stat.substring(begin + 1, end),
        "SDI".contains(rest[0]));
  }
}
