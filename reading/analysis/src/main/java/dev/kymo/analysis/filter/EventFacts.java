package dev.kymo.analysis.filter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Facts of an event, for those who choose events. One object stands for one event after the other;
 * what nobody asks for is not looked up. Times are nanoseconds since the recording's begin.
 */
public interface EventFacts {
  long UNKNOWN = Long.MIN_VALUE;

  /**
   * What it is: {@code enter}, {@code leave} and {@code unwind} of a call or state that begins or
   * ends; {@code call} or {@code state} of one as a whole; of an event of the program's own the
   * word of its kind; {@code switch}, {@code detail}, {@code kernel}.
   */
  String kind();

  /**
   * Its whole name: {@code a.B.run}, {@code disk.ALLOC}, {@code monitor a.Lock}, {@code
   * sched:sched_switch}.
   */
  String name();

  /** What the name is in: a class, a subsystem, a kind of waiting; empty = nothing. */
  String subsystem();

  /** When it happened; of a whole call or state its end. */
  long time();

  /** When the call or state began that ends here; {@link #UNKNOWN} of anything else. */
  long begin();

  /** Number of the process in the recording. */
  int process();

  /** The kernel's number of the process; -1 = unknown. */
  default int pid() {
    return -1;
  }

  /** What the process runs; empty = unknown. */
  default String command() {
    return "";
  }

  /** Number of the thread in its process. */
  int thread();

  /** Name of the thread, or of the processor. */
  String threadName();

  /**
   * What the track shows: {@code calls}, {@code states}, {@code jvm}, {@code scheduled}, {@code
   * cpu}.
   */
  String track();

  /** Number of the processor, if that is what the track shows; -1 = unknown. */
  int core();

  /** How many calls are around the call or event; -1 = unknown. */
  int depth();

  /** Where in the program it happened, or which application ran; empty = unknown. */
  String place();

  /**
   * The value that an event of the program's own, or of the kernel's, has in a field: {@link Long},
   * {@link Double}, {@link Boolean}, {@link String} or, if it is too large for a long, {@link
   * java.math.BigInteger}; null = it has no such field.
   */
  @Nullable Object field(String name);

  default List<String> fields() {
    return List.of();
  }

  /** Its data in words. */
  String text();

  /** Nanoseconds that a call or state took that ends here; {@link #UNKNOWN} of anything else. */
  default long duration() {
    long began = begin();
    return began == UNKNOWN ? UNKNOWN : time() - began;
  }
}
