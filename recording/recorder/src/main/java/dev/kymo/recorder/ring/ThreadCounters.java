package dev.kymo.recorder.ring;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one platform thread, by {@link MethodCounters#index(int)}; grown by that thread
 * only.
 */
public final class ThreadCounters {
  private final Maker maker;
  private @Nullable Counter[] counters = {};

  /** Makes counters. */
  public interface Maker {
    /** A new counter of the calling thread; null if there is no memory or recording. */
    @Nullable Counter make(MethodCounters counted, int mode);
  }

  ThreadCounters(Maker maker) {
    this.maker = maker;
  }

  /** Null if there is none yet. */
  public @Nullable Counter get(int index) {
    @Nullable Counter[] known = counters;
    return index < known.length ? known[index] : null;
  }

  /** Returns the counter, and makes it if necessary; null if there is no memory for it. */
  @Nullable Counter getOrMake(MethodCounters counted, int mode) {
    Counter counter = get(counted.index(mode));
    return counter == null ? maker.make(counted, mode) : counter;
  }

  void put(int index, Counter counter) {
    @Nullable Counter[] known = counters;
    if (index >= known.length) {
      known = Arrays.copyOf(known, Math.max(index + 1, known.length * 2));
    }
    VarHandle.releaseFence(); // the governor finds only counters that are made
    known[index] = counter;
    counters = known;
  }

  /** Null where there is none. */
  public @Nullable Counter[] all() {
    return counters;
  }
}
