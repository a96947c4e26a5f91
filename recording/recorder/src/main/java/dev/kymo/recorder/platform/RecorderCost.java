package dev.kymo.recorder.platform;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The processor time that the {@link RecorderThreads} take, and the whole process. */
public final class RecorderCost {
  private static final Path TASKS = Path.of("/proc/self/task");

  /** Processor time of each, as last seen: those that have ended count on. */
  private static final Map<Path, Long> TIMES = new HashMap<>();

  /** Processor time of each of the JIT compiler's threads, as last seen. */
  private static final Map<Path, Long> COMPILERS = new HashMap<>();

  private static boolean flightRecorder;

  private RecorderCost() {}

  /** A recording begins; those of its threads that run already count. */
  public static synchronized void begin() {
    TIMES.clear();
    COMPILERS.clear();
    flightRecorder = false;
    look(false);
  }

  /**
   * Looks for the threads again. Call this only when one of them has started, because it asks all
   * threads for their names.
   *
   * @param withFlightRecorder whether its threads count, because it was started for the recording
   */
  public static synchronized void look(boolean withFlightRecorder) {
    flightRecorder |= withFlightRecorder;
    File[] tasks = TASKS.toFile().listFiles();
    for (File task : tasks == null ? new File[0] : tasks) {
      String name = read(task.toPath().resolve("comm"));
      if (RecorderThreads.NAMES.contains(name)
          || (flightRecorder && name.startsWith(RecorderThreads.FLIGHT_RECORDER))) {
        TIMES.putIfAbsent(task.toPath().resolve("schedstat"), 0L);
      } else if (isCompiler(name)) {
        COMPILERS.putIfAbsent(task.toPath().resolve("schedstat"), 0L);
      }
    }
  }

  private static boolean isCompiler(String name) {
    return name.startsWith("C1 Compiler")
        || name.startsWith("C2 Compiler")
        || name.startsWith("JVMCI");
  }

  /** Processor time that they have taken so far, in nanoseconds. */
  public static synchronized long cpuNanos() {
    return sum(TIMES);
  }

  /** The same of the JIT compiler's threads, as far as they were met. */
  public static synchronized long compilerNanos() {
    return sum(COMPILERS);
  }

  /** Of the whole process, in nanoseconds; the kernel counts hundredths of a second. */
  public static long processNanos() {
    String stat = read(Path.of("/proc/self/stat"));
    // The twelfth and thirteenth fields after the name, which may contain blanks.
    String[] words = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
    return words.length < 13
        ? 0
        : (Long.parseLong(words[11]) + Long.parseLong(words[12])) * 10_000_000;
  }

  private static long sum(Map<Path, Long> times) {
    times.replaceAll((file, before) -> Math.max(before, time(read(file))));
    long sum = 0;
    for (long time : times.values()) {
      sum += time;
    }
    return sum;
  }

  private static long time(String schedstat) {
    int end = schedstat.indexOf(' ');
    return end < 0 ? 0 : Long.parseLong(schedstat.substring(0, end));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).trim();
    } catch (IOException e) {
      return ""; // the thread has ended
    }
  }
}
