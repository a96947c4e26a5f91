package dev.kymo.recorder;

import dev.kymo.format.ThreadRecord;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * What woven code calls. Three times the same shape: thread's ring, clock, one 64-bit store, and
 * the release store of the position, which commits the record. Whatever is rare leaves for {@link
 * #slow}. An enter reads the clock last and a leave reads it first, so that the cost of the probes
 * falls outside the call they measure.
 *
 * <p>All three are written out, and need the same stack: where a program's stack ends, an enter
 * that still fits must not be followed by an end that no longer does.
 *
 * <p>A ring is written by the thread that runs on its carrier, and by nobody else; nothing on this
 * path can make a virtual thread leave its carrier.
 */
public final class Probe {
  private static final ThreadLocal<@Nullable Ring> RING = Internals.carrierLocal();
  private static final MethodHandle CLOCK = ProcessRecorder.clock();

  /** Off: probes return at once. Volatile costs a load nothing and cannot be hoisted from loops. */
  private static volatile boolean on;

  private Probe() {}

  /** A call begins. */
  public static void enter(int method) {
    if (!on) {
      return;
    }
    Ring ring = RING.get();
    Thread thread = Thread.currentThread();
    long now = now();
    if (ring == null || ring.mustLeaveFastPath(thread, now)) {
      slow(ThreadRecord.ENTER, now, method);
      return;
    }
    ring.commit(ThreadRecord.compact(ThreadRecord.ENTER, now, method));
  }

  /** The call returns. */
  public static void leave(int method) {
    if (!on) {
      return;
    }
    long now = now();
    Ring ring = RING.get();
    Thread thread = Thread.currentThread();
    if (ring == null || ring.mustLeaveFastPath(thread, now)) {
      slow(ThreadRecord.LEAVE, now, method);
      return;
    }
    ring.commit(ThreadRecord.compact(ThreadRecord.LEAVE, now, method));
  }

  /** The call ends by an exception. */
  public static void unwind(int method) {
    if (!on) {
      return;
    }
    long now = now();
    Ring ring = RING.get();
    Thread thread = Thread.currentThread();
    if (ring == null || ring.mustLeaveFastPath(thread, now)) {
      slow(ThreadRecord.UNWIND, now, method);
      return;
    }
    ring.commit(ThreadRecord.compact(ThreadRecord.UNWIND, now, method));
  }

  private static long now() {
    try {
      return (long) CLOCK.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static void slow(int id, long now, int method) {
    ProcessRecorder recorder = ProcessRecorder.current();
    if (recorder != null) {
      recorder.record(id, now, method);
    }
  }

  static void switchOn(boolean value) {
    on = value;
  }

  static void setRing(@Nullable Ring ring) {
    RING.set(ring);
  }
}
