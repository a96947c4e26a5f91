package dev.kymo.recorder.platform;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The threads that exist because of the recording: their waits are not the program's, and their
 * processor time is the {@link RecorderCost}.
 */
public final class RecorderThreads {
  public static final String HOUSEKEEPING = "kymo";

  /** The thread that writes states. */
  public static final String WAITS = "kymo waits";

  /** The thread that hands out the flight recorder's events. */
  public static final String EVENTS = "kymo events";

  /** The thread that measures the probes; the kernel keeps 15 characters of a name. */
  public static final String MEASURING = "kymo measuring";

  /** The thread that says when to look where the program's threads are. */
  public static final String LOOKS = "kymo looks";

  /** The thread that takes probes out of classes. */
  public static final String WEAVING = "kymo weaving";

  /** The thread that answers {@code kymo ctl}. */
  public static final String CONTROL = "kymo control";

  public static final String KEEPING = "kymo keeping";

  /** The thread that writes the recording, where the agent does that by itself. */
  public static final String DRAINING = "kymo draining";

  /** The threads that end the recording when the virtual machine goes down. */
  public static final String FAREWELL = "kymo farewell";

  static final Set<String> NAMES =
      Set.of(
          HOUSEKEEPING,
          FAREWELL,
          WAITS,
          EVENTS,
          MEASURING,
          LOOKS,
          WEAVING,
          CONTROL,
          KEEPING,
          DRAINING);
  static final String FLIGHT_RECORDER = "JFR ";
  private static volatile @Nullable Thread farewell;

  private RecorderThreads() {}

  public static Thread daemon(Runnable work, String name) {
    Thread thread = thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  public static Thread thread(Runnable work, String name) {
    Runnable unrecorded =
        () -> {
          RecorderWork.begin();
          work.run();
        };
    Thread thread = new Thread(systemGroup(), unrecorded, name, 0, false);
    thread.setContextClassLoader(null);
    return thread;
  }

  /** Not the program's group: the program may destroy it, or count its threads. */
  private static ThreadGroup systemGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    return group;
  }

  /** The thread that an exit of the program waits for. */
  public static void farewell(Thread thread) {
    farewell = thread;
  }

  /** A thread that ends the program waits for this thread; this wait is not the program's own. */
  public static @Nullable Thread farewell() {
    return farewell;
  }

  public static boolean isOne(String name) {
    return NAMES.contains(name) || name.startsWith(FLIGHT_RECORDER);
  }
}
