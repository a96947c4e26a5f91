package dev.kymo.recorder.ring;

import dev.kymo.format.Definition.MethodMode;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A method that is, or once was, not recorded as events, or that has called one: how its calls are
 * recorded, and the counters that are asked first. Kept for the life of the process.
 */
public final class MethodCounters {
  /** Methods beyond this number are always events. */
  public static final int GOVERNED = 1 << 18;

  /** By method. Only the probes read it as it is; they must. */
  static final @Nullable MethodCounters[] ALL = new MethodCounters[GOVERNED];

  private static final AtomicInteger LAST_INDEX = new AtomicInteger();

  private static final int MODES = MethodMode.SAMPLED;

  public final int method;

  /** Number of this among all, from 0: where a ring has its counters. */
  final int index;

  /** One of {@link MethodMode}; changed by the governor at any time. */
  public int mode = MethodMode.EVENTS;

  /** The counters of the thread that calls it most: they are found without asking the ring. */
  @Nullable Counter timed;

  @Nullable Counter sampled;

  MethodCounters(int method, int index) {
    this.method = method;
    this.index = index;
  }

  /** Null for a method that is only events, as nearly all are. */
  static @Nullable MethodCounters of(int method) {
    return method < GOVERNED ? ALL[method] : null;
  }

  /** Returns the counters, and makes them if necessary. */
  static MethodCounters known(int method) {
    MethodCounters counters = ALL[method];
    return counters == null ? make(method) : counters;
  }

  private static synchronized MethodCounters make(int method) {
    MethodCounters counters = ALL[method];
    if (counters == null) {
      counters = new MethodCounters(method, LAST_INDEX.getAndIncrement());
      VarHandle.releaseFence(); // probes read it without a lock
      ALL[method] = counters;
    }
    return counters;
  }

  public static int mode(int method) {
    MethodCounters counters = of(method);
    return counters == null ? MethodMode.EVENTS : counters.mode;
  }

  /**
   * Changes a method's mode; calls that have begun are not concerned. For each method by one
   * thread.
   */
  public static MethodCounters mode(int method, int mode) {
    MethodCounters counters = known(method);
    counters.mode = mode;
    return counters;
  }

  @Nullable Counter busiest(int inMode) {
    return inMode == MethodMode.SAMPLED ? sampled : timed;
  }

  public void busiest(Counter counter) {
    if (counter.sampled) {
      sampled = counter;
    } else {
      timed = counter;
    }
  }

  /** The recording is over: the next one has counters of its own. */
  public void forget() {
    mode = MethodMode.EVENTS;
    timed = null;
    sampled = null;
  }

  /** Where a ring has the counter of a mode that is not {@link MethodMode#LEFT_OUT}. */
  public int index(int inMode) {
    return MODES * index + inMode - MethodMode.EVENTS;
  }

  /** Where it has that of the other mode that counts calls. */
  static int other(int index) {
    return index % MODES == MethodMode.TIMED - MethodMode.EVENTS ? index + 1 : index - 1;
  }
}
