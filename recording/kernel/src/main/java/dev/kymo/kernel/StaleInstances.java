package dev.kymo.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds instances that a killed process left. The name says whose it is: {@code
 * kymo-PID-START-NUMBER}, where START is the time when the process began, because numbers of
 * processes are reused.
 *
 * <p>An instance is only removed by {@code rmdir}: if the owner lives after all (from another PID
 * namespace it does not seem to), it has files open, and the kernel refuses.
 */
final class StaleInstances {
  private static final Pattern NAME = Pattern.compile("kymo-(\\d{1,10})-(\\d{1,19})-\\d{1,10}");
  private static final int START_FIELD = 22;

  private StaleInstances() {}

  static String ownName(int number) {
    long pid = ProcessHandle.current().pid();
    return "kymo-%d-%d-%d".formatted(pid, startOf(pid), number);
  }

  /** When a process began, in ticks since the system's start; -1 if there is no such process. */
  static long startOf(long pid) {
    try {
      String stat = Tracefs.read(Path.of("/proc/" + pid + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return Long.parseLong(fields[START_FIELD - 3]); // the first after the name is number 3
    } catch (IOException | RuntimeException e) {
      return -1;
    }
  }

  /** Removes what dead processes left, and reports what cannot be removed. */
  static void sweep(Tracefs tracefs, Consumer<String> complaints) {
    List<Path> instances;
    try (Stream<Path> all = Files.list(tracefs.instances())) {
      instances = all.toList();
    } catch (IOException e) {
      return; // making an instance will report it
    }
    for (Path instance : instances) {
      Matcher name = NAME.matcher(String.valueOf(instance.getFileName()));
      if (name.matches() && isDead(name)) {
        try {
          Files.deleteIfExists(instance);
        } catch (IOException e) {
          complaints.accept(
              "tracing instance of a dead process is still open elsewhere: path=%s; close what reads it, then run: rmdir %s"
                  .formatted(instance, instance));
        }
      }
    }
  }

  private static boolean isDead(Matcher name) {
    return startOf(Long.parseLong(name.group(1))) != Long.parseLong(name.group(2));
  }
}
