package dev.kymo.recorder;

import dev.kymo.format.Definition.MethodMode;
import org.jspecify.annotations.Nullable;

/** A method that is, or once was, not recorded as events. Kept for the life of the process. */
final class Counted {
  private static final int MODES = MethodMode.SAMPLED;

  final int method;

  /** Number of this among all, from 0: where a ring has its counters. */
  final int index;

  /** One of {@link MethodMode}; changed by the governor at any time. */
  int mode = MethodMode.EVENTS;

  /** The counters of the thread that calls it most: they are found without asking the ring. */
  @Nullable Counter timed;

  @Nullable Counter sampled;

  Counted(int method, int index) {
    this.method = method;
    this.index = index;
  }

  /** The busiest thread's counter. */
  @Nullable Counter busiest(int inMode) {
    return inMode == MethodMode.SAMPLED ? sampled : timed;
  }

  void busiest(Counter counter) {
    if (counter.sampled) {
      sampled = counter;
    } else {
      timed = counter;
    }
  }

  /** Where a ring has the counter of a mode that is not {@link MethodMode#LEFT_OUT}. */
  int index(int inMode) {
    return MODES * index + inMode - MethodMode.EVENTS;
  }

  /** Where it has that of the other mode that counts calls. */
  static int other(int index) {
    return index % MODES == MethodMode.TIMED - MethodMode.EVENTS ? index + 1 : index - 1;
  }
}
