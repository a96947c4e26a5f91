package dev.kymo.recorder;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The threads that are there because of the recording: what they wait for is not the program's, and
 * what they take is the recorder's cost.
 */
public final class OwnThreads {
  /** The thread that writes states. */
  public static final String WAITS = "kymo waits";

  /** The thread that hands out the flight recorder's events. */
  public static final String EVENTS = "kymo events";

  /** The thread that measures the probes; the kernel keeps 15 characters of a name. */
  static final String MEASURING = "kymo measuring";

  /** The thread that says when to look where the program's threads are. */
  static final String LOOKS = "kymo looks";

  /** The thread that takes probes out of classes. */
  public static final String WEAVING = "kymo weaving";

  /** The thread that answers {@code kymo ctl}. */
  static final String CONTROL = "kymo control";

  static final String KEEPING = "kymo keeping";

  /** The threads that end the recording when the virtual machine goes down. */
  static final String FAREWELL = "kymo farewell";

  private static final Set<String> NAMES =
      Set.of("kymo", FAREWELL, WAITS, EVENTS, MEASURING, LOOKS, WEAVING, CONTROL, KEEPING);
  private static final String FLIGHT_RECORDER = "JFR ";
  private static final Path TASKS = Path.of("/proc/self/task");

  /** Processor time of each, as last seen: those that have ended count on. */
  private static final Map<Path, Long> TIMES = new HashMap<>();

  /** Processor time of each of the JIT compiler's threads, as last seen. */
  private static final Map<Path, Long> COMPILERS = new HashMap<>();

  private static boolean flightRecorder;

  private static volatile @Nullable Thread farewell;

  private OwnThreads() {}

  /** The thread that an exit of the program waits for. */
  static void farewell(Thread thread) {
    farewell = thread;
  }

  /** Who ends the program waits for this thread, which is no wait of the program's. */
  public static @Nullable Thread farewell() {
    return farewell;
  }

  /** Whether a thread of this name is one of them. */
  public static boolean isOne(String name) {
    return NAMES.contains(name) || name.startsWith(FLIGHT_RECORDER);
  }

  /** A recording begins; those of its threads that run already count. */
  static synchronized void begin() {
    TIMES.clear();
    COMPILERS.clear();
    flightRecorder = false;
    look(false);
  }

  /**
   * Looks for the threads anew. To be called when one of them has started, because it asks all
   * threads there are for their names.
   *
   * @param withFlightRecorder whether its threads count, because it was started for the recording
   */
  public static synchronized void look(boolean withFlightRecorder) {
    flightRecorder |= withFlightRecorder;
    File[] tasks = TASKS.toFile().listFiles();
    for (File task : tasks == null ? new File[0] : tasks) {
      String name = read(task.toPath().resolve("comm"));
      if (NAMES.contains(name) || (flightRecorder && name.startsWith(FLIGHT_RECORDER))) {
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
  static synchronized long compilerNanos() {
    return sum(COMPILERS);
  }

  /** Of the whole process, in nanoseconds; the kernel counts hundredths of a second. */
  static long processNanos() {
    String stat = read(Path.of("/proc/self/stat"));
    // Behind the name, which may have blanks in it, the twelfth and thirteenth.
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
