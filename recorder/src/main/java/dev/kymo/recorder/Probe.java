package dev.kymo.recorder;

import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.ThreadRecord;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What woven code calls. Three times the same shape: thread's ring, clock, one 64-bit store, and
 * the release store of the position, which commits the record. Whatever is rare leaves for {@link
 * #slow}. An enter reads the clock last and a leave reads it first, so that the cost of the probes
 * falls outside the call they measure.
 *
 * <p>An enter returns a token, which the woven method keeps in a local variable and hands to its
 * end. It says how the call is recorded: whatever happens to the method's mode in between, and on
 * whichever thread, a call that began as an event ends as one, and one that is counted ends as
 * that.
 *
 * <pre>
 *   token   0              not recorded, or counted only
 *           1              event
 *           clock &lt;&lt; 2 | mode  counted; to be timed at its end
 * </pre>
 *
 * <p>All three are written out, and need the same stack: where a program's stack ends, an enter
 * that still fits must not be followed by an end that no longer does.
 *
 * <p>A ring is written by the thread that runs on its carrier, and by nobody else; nothing on this
 * path can make a virtual thread leave its carrier.
 */
public final class Probe {
  /** Methods beyond this number are always events. */
  static final int GOVERNED = 1 << 18;

  static final int MODE_BITS = 2;

  /** Of the calls of a sampled method one in {@code 1 << SAMPLE_SHIFT} is timed. */
  private static final int SAMPLE_SHIFT = 6;

  /** Spreads the timed calls, so that they do not fall into step with the program. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private static final int MODE_MASK = (1 << MODE_BITS) - 1;
  private static final long NOT_RECORDED = 0;
  private static final long EVENT = 1;

  private static final ThreadLocal<@Nullable Ring> RING = Internals.carrierLocal();
  private static final MethodHandle CLOCK = ProcessRecorder.clock();

  /**
   * By method: {@code pair << MODE_BITS | mode}. A pair of counters, once given, is kept for the
   * life of the process: a call may end at any time. 0 = none yet.
   */
  private static final int[] MODES = modes();

  private static int lastPair;

  /**
   * Off: probes return at once. Volatile costs a load nothing and cannot be hoisted from loops; nor
   * can what is read after it, the mode.
   */
  private static volatile boolean on;

  private Probe() {}

  private static int[] modes() {
    int[] modes = new int[GOVERNED];
    Arrays.fill(modes, MethodMode.EVENTS);
    return modes;
  }

  /** A call begins. */
  public static long enter(int method) {
    if (!on) {
      return NOT_RECORDED;
    }
    int word = method < GOVERNED ? MODES[method] : MethodMode.EVENTS;
    if ((word & MODE_MASK) != MethodMode.EVENTS) {
      return (word & MODE_MASK) == MethodMode.LEFT_OUT ? NOT_RECORDED : count(method, word);
    }
    Ring ring = RING.get();
    Thread thread = Thread.currentThread();
    long now = now();
    if (ring == null || ring.mustLeaveFastPath(thread, now)) {
      slow(ThreadRecord.ENTER, now, method);
      return EVENT;
    }
    ring.commit(ThreadRecord.compact(ThreadRecord.ENTER, now, method));
    return EVENT;
  }

  /** The call returns. */
  public static void leave(int method, long token) {
    if (token == NOT_RECORDED || !on) {
      return;
    }
    long now = now();
    Ring ring = RING.get();
    if (token != EVENT) {
      time(ring, method, token, now);
      return;
    }
    Thread thread = Thread.currentThread();
    if (ring == null || ring.mustLeaveFastPath(thread, now)) {
      slow(ThreadRecord.LEAVE, now, method);
      return;
    }
    ring.commit(ThreadRecord.compact(ThreadRecord.LEAVE, now, method));
  }

  /** The call ends by an exception. */
  public static void unwind(int method, long token) {
    if (token == NOT_RECORDED || !on) {
      return;
    }
    long now = now();
    Ring ring = RING.get();
    if (token != EVENT) {
      time(ring, method, token, now);
      return;
    }
    Thread thread = Thread.currentThread();
    if (ring == null || ring.mustLeaveFastPath(thread, now)) {
      slow(ThreadRecord.UNWIND, now, method);
      return;
    }
    ring.commit(ThreadRecord.compact(ThreadRecord.UNWIND, now, method));
  }

  /** Counts a call that begins; the clock is read last, if it is read. */
  private static long count(int method, int word) {
    Ring ring = RING.get();
    int mode = word & MODE_MASK;
    int block = ring == null ? 0 : ring.block(counter(word, mode));
    if (block == 0) {
      ring = ProcessRecorder.ringToCount(method, word);
      if (ring == null) {
        return NOT_RECORDED;
      }
      block = ring.block(counter(word, mode));
    }
    long calls = ring.counters.begin(block);
    if (mode == MethodMode.TIMED) {
      ring.counters.running(block, 1);
    } else if ((calls * SPREAD) >>> (Long.SIZE - SAMPLE_SHIFT) != 0) {
      return NOT_RECORDED;
    }
    return now() << MODE_BITS | mode;
  }

  /** A call that is to be timed has ended. */
  private static void time(@Nullable Ring ring, int method, long token, long now) {
    int word = MODES[method];
    int mode = (int) token & MODE_MASK;
    int block = ring == null ? 0 : ring.block(counter(word, mode));
    if (ring == null || block == 0) { // a virtual thread that has moved to another carrier
      ring = ProcessRecorder.ringToCount(method, (word & ~MODE_MASK) | mode);
      if (ring == null) {
        return;
      }
      block = ring.block(counter(word, mode));
    }
    long ticks = Math.max(0, now - (token >>> MODE_BITS));
    boolean outermost = mode == MethodMode.SAMPLED || ring.counters.running(block, -1) <= 0;
    ring.counters.end(block, ticks, outermost || ring.carriesVirtual);
  }

  /** Where among a ring's counters those of a method and mode are. */
  static int counter(int word, int mode) {
    return (word >>> MODE_BITS << 1) + (mode == MethodMode.SAMPLED ? 1 : 0);
  }

  /** As {@link #counter}, of a method. */
  static int counterOf(int method, int mode) {
    return counter(MODES[method], mode);
  }

  static int mode(int method) {
    return method < GOVERNED ? MODES[method] & MODE_MASK : MethodMode.EVENTS;
  }

  /** Changes a method's mode; calls that have begun are not concerned. By one thread only. */
  static void mode(int method, int mode) {
    int pair = MODES[method] >>> MODE_BITS;
    if (pair == 0) {
      pair = ++lastPair;
    }
    MODES[method] = pair << MODE_BITS | mode;
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

  static boolean isOn() {
    return on;
  }

  static void setRing(@Nullable Ring ring) {
    RING.set(ring);
  }
}
