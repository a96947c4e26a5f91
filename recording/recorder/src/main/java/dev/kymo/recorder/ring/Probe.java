package dev.kymo.recorder.ring;

import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.platform.AgentLibrary;
import dev.kymo.recorder.platform.FastCalls;
import dev.kymo.recorder.platform.Faults;
import dev.kymo.recorder.platform.JdkInternals;
import dev.kymo.recorder.platform.RecorderWork;
import dev.kymo.recorder.platform.TickClock;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The methods that woven code calls. All three have the same shape: thread's ring, clock, one
 * 64-bit store, and the release store of the position, which commits the record. Rare cases leave
 * for {@link #slow}. An enter reads the clock last and a leave reads it first, so that the cost of
 * the probes falls outside the call they measure. Where {@link #LENT rings are lent}, a function in
 * C does all that with one call.
 *
 * <p>An enter returns a token, which the woven method keeps in a local variable and hands to its
 * end. It says how the call is recorded: whatever happens to the method's mode in between, and on
 * whichever thread, a call that began as an event ends as one, and one that is counted ends as
 * that.
 *
 * <pre>
 *   token   0                              not recorded
 *           place &lt;&lt; 3 | 1                 event
 *           place &lt;&lt; 3 | 4                 counted only
 *           clock &lt;&lt; 17 | place &lt;&lt; 3 | mode  counted; to be timed at its end
 * </pre>
 *
 * <p>The place is that on the thread's {@link CallStack}.
 *
 * <p>All three are written out, and need the same stack: where a program's stack ends, an enter
 * that still fits must not be followed by an end that no longer does.
 *
 * <p>Nothing that goes wrong in a probe gets into the program: no exception of the recorder's, and
 * no overflow of the stack that the program would not have had. Such an event is lost, and counted.
 *
 * <p>A ring is written by the thread that runs on its carrier, and by nobody else; nothing on this
 * path can make a virtual thread leave its carrier.
 */
public final class Probe {
  /** No woven method has this number, so the calls of {@code Calibration} are not recorded. */
  public static final int CALIBRATION = 0;

  private static final int KIND_MASK = 7;
  private static final int PLACE_SHIFT = 3;

  /** Leaves 47 bits to the clock: calls of some hours. */
  private static final int CLOCK_SHIFT = 17;

  private static final long NOT_RECORDED = 0;

  /** Kinds of tokens, beside the two modes that time calls. */
  private static final long EVENT = MethodMode.EVENTS;

  private static final long UNTIMED = 4;

  static final ThreadLocal<@Nullable Ring> RING = JdkInternals.carrierLocal();
  private static final MethodHandle CLOCK = TickClock.chosen();

  /** Whether rings are lent to the agent's library, which records what is not rare. */
  static final boolean LENT = FastCalls.areUsed();

  /** By the number of a ring that is lent to its owner. */
  private static final @Nullable CallStack[] STACKS = new CallStack[LENT ? LentRing.NUMBERED : 0];

  /**
   * Off: calls that begin are not recorded. Volatile costs a load nothing and cannot be hoisted
   * from loops; nor can what is read after it, the mode. Ends do not look at it: switching off
   * sends the rings to the slow path.
   */
  private static volatile boolean on;

  /** Clock when the recording began. */
  private static long begun;

  /** Events lost because a probe failed; threads that fail at the same time may count as one. */
  private static int failed;

  /** How many of them because the stack came to its end. */
  private static int overflows;

  private Probe() {}

  public static long enter(int method) {
    try {
      if (!on) {
        return NOT_RECORDED;
      }
      MethodCounters counted = method < MethodCounters.GOVERNED ? MethodCounters.ALL[method] : null;
      if (counted != null) {
        int mode = counted.mode; // read once: it may change at any time
        if (mode != MethodMode.EVENTS) {
          return count(counted, mode);
        }
      }
      Thread thread = Thread.currentThread();
      if (LENT) {
        long ring = record(ThreadRecord.ENTER, method, thread);
        if (ring != 0) {
          return push(ring, method) << PLACE_SHIFT | EVENT;
        }
      }
      Ring ring = RING.get();
      int place = push(ring, thread, method);
      long now = slowNow();
      if (LENT || ring == null || ring.mustLeaveFastPath(thread, now)) {
        if (!slow(ThreadRecord.ENTER, now, method)) {
          if (ring != null) {
            pop(ring.stackOf(thread), place);
          }
          return NOT_RECORDED;
        }
        Ring chosen = RING.get();
        if (isAnother(
            chosen, ring)) { // the thread's first event here, or after the recorder's work
          place = push(chosen, thread, method);
        }
        return (long) place << PLACE_SHIFT | EVENT;
      }
      ring.commit(ThreadRecord.compact(ThreadRecord.ENTER, now, method));
      return (long) place << PLACE_SHIFT | EVENT;
    } catch (StackOverflowError e) {
      failed++; // and nothing is called: there is no stack left
      overflows++;
      return NOT_RECORDED;
    } catch (Throwable e) {
      fail(e);
      return NOT_RECORDED;
    }
  }

  public static void leave(int method, long token) {
    if (token == NOT_RECORDED) {
      return;
    }
    try {
      if ((token & KIND_MASK) == UNTIMED) {
        endUntimed(method, token);
        return;
      }
      if ((token & KIND_MASK) != EVENT) {
        time(method, token, now());
        return;
      }
      Thread thread = Thread.currentThread();
      if (LENT) {
        long ring = record(ThreadRecord.LEAVE, method, thread);
        if (ring != 0) {
          pop(ring, place(token));
          return;
        }
      }
      long now = slowNow();
      Ring ring = RING.get();
      if (ring != null) {
        pop(ring.stackOf(thread), place(token));
      }
      if (LENT || ring == null || ring.mustLeaveFastPath(thread, now)) {
        slow(ThreadRecord.LEAVE, now, method);
        return;
      }
      ring.commit(ThreadRecord.compact(ThreadRecord.LEAVE, now, method));
    } catch (StackOverflowError e) {
      failed++;
      overflows++;
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** The call ends by an exception. */
  public static void unwind(int method, long token) {
    if (token == NOT_RECORDED) {
      return;
    }
    try {
      if ((token & KIND_MASK) == UNTIMED) {
        endUntimed(method, token);
        return;
      }
      if ((token & KIND_MASK) != EVENT) {
        time(method, token, now());
        return;
      }
      Thread thread = Thread.currentThread();
      if (LENT) {
        long ring = record(ThreadRecord.UNWIND, method, thread);
        if (ring != 0) {
          pop(ring, place(token));
          return;
        }
      }
      long now = slowNow();
      Ring ring = RING.get();
      if (ring != null) {
        pop(ring.stackOf(thread), place(token));
      }
      if (LENT || ring == null || ring.mustLeaveFastPath(thread, now)) {
        slow(ThreadRecord.UNWIND, now, method);
        return;
      }
      ring.commit(ThreadRecord.compact(ThreadRecord.UNWIND, now, method));
    } catch (StackOverflowError e) {
      failed++;
      overflows++;
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Nothing that goes wrong in a probe gets into the program. */
  public static void fail(Throwable e) {
    Faults.throwIfPrograms(e);
    failed++;
  }

  /** How many events were lost so far because a probe failed. */
  public static int failed() {
    return failed;
  }

  /** How many of them because a stack came to its end. */
  public static int overflows() {
    return overflows;
  }

  static int place(long token) {
    return (int) (token >>> PLACE_SHIFT) & CallStack.NOWHERE;
  }

  private static void pop(@Nullable CallStack stack, int place) {
    if (stack != null && place != CallStack.NOWHERE) {
      stack.pop(place);
    }
  }

  /** A call begins; its place. */
  private static int push(@Nullable Ring ring, Thread thread, int method) {
    CallStack stack = ring == null ? null : ring.stackOf(thread);
    return stack == null ? CallStack.NOWHERE : stack.push(CallStack.event(method));
  }

  /** A call begins that was recorded in a ring that is lent; its place. */
  private static long push(long ring, int method) {
    CallStack stack = ring == LentRing.NO_STACK ? null : STACKS[(int) ring];
    return stack == null ? CallStack.NOWHERE : stack.push(CallStack.event(method));
  }

  /** Such a call ends. */
  private static void pop(long ring, int place) {
    if (ring != LentRing.NO_STACK) {
      pop(STACKS[(int) ring], place);
    }
  }

  /** Counts a call that begins. Short: it becomes part of whatever calls a sampled method. */
  private static long count(MethodCounters counted, int mode) {
    if (mode == MethodMode.SAMPLED) {
      Counter counter = counted.sampled;
      if (counter != null && !isAnothers(counter) && counter.countUntimed()) {
        return (long) counter.push() << PLACE_SHIFT | UNTIMED;
      }
    } else if (mode == MethodMode.LEFT_OUT) { // often so in hidden classes, which keep their probes
      return NOT_RECORDED;
    }
    return countRarely(counted, mode);
  }

  /** Counts a call that begins, and reads the clock last, if it will be timed. */
  private static long countRarely(MethodCounters counted, int mode) {
    Counter counter = counted.busiest(mode);
    if (counter == null || isAnothers(counter)) {
      counter = counter(counted, mode);
      if (counter == null) {
        return NOT_RECORDED;
      }
    }
    boolean virtual = isAnothers(counter);
    boolean untimed = mode == MethodMode.SAMPLED && counter.countUntimed();
    if (!untimed) {
      counter.countTimed(virtual);
    }
    if (virtual) {
      counter.unplaced++;
    }
    long place = virtual ? CallStack.NOWHERE : counter.push();
    if (untimed) {
      return virtual ? NOT_RECORDED : place << PLACE_SHIFT | UNTIMED;
    }
    return now() << CLOCK_SHIFT | place << PLACE_SHIFT | mode;
  }

  private static void endUntimed(int method, long token) {
    MethodCounters counted = MethodCounters.ALL[method];
    Counter counter = counted == null ? null : counted.sampled;
    int place = place(token);
    if (counter != null && !isAnothers(counter)) {
      if (place != CallStack.NOWHERE) {
        counter.pop(place);
      }
      return;
    }
    Ring ring = RING.get();
    if (ring != null) {
      pop(ring.stackOf(Thread.currentThread()), place);
    }
  }

  private static void time(int method, long token, long now) {
    MethodCounters counted = MethodCounters.ALL[method];
    if (counted == null) {
      return;
    }
    long duration = ((now - (token >>> CLOCK_SHIFT)) << CLOCK_SHIFT) >> CLOCK_SHIFT;
    if (duration > now - begun) {
      return; // it was counted in a recording before this one
    }
    int mode = (int) token & KIND_MASK;
    Counter counter = counted.busiest(mode);
    if (counter == null || isAnothers(counter)) {
      counter = counter(counted, mode);
      if (counter == null) {
        return;
      }
    }
    boolean virtual = isAnothers(counter);
    int place = place(token);
    if (!virtual && place != CallStack.NOWHERE) {
      counter.pop(place);
    }
    counter.end(duration, virtual);
  }

  @SuppressWarnings("ReferenceEquality") // this very ring
  private static boolean isAnother(@Nullable Ring ring, @Nullable Ring before) {
    return ring != before;
  }

  @SuppressWarnings("ReferenceEquality") // this very thread
  private static boolean isAnothers(Counter counter) {
    return counter.owner != Thread.currentThread();
  }

  private static @Nullable Counter counter(MethodCounters counted, int mode) {
    Ring ring = RING.get();
    CallStack stack = ring == null ? null : ring.stack();
    Counter counter = stack == null ? null : stack.counters().get(counted.index(mode));
    return counter == null ? SlowPath.counter(counted, mode) : counter;
  }

  public static long now() {
    try {
      return (long) CLOCK.invokeExact();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The clock for what has left the fast path in C. Not by the handle: it makes classes for itself
   * when it has been called 127 times by code that is not compiled, and here a stack may be ending.
   */
  static long slowNow() {
    return LENT ? AgentLibrary.readClock() : now();
  }

  /** As {@link AgentLibrary#record(long, long)}. */
  static long record(int id, int payload, Thread thread) {
    try {
      return FastCalls.record(ThreadRecord.compact(id, 0, payload), JdkInternals.id(thread));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** As {@link AgentLibrary#record(long, long, long)}. */
  static long record(int id, int payload, Thread thread, long argument) {
    try {
      return FastCalls.record(
          ThreadRecord.compact(id, 0, payload), JdkInternals.id(thread), argument);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether the end of a call that begins here must be recorded. */
  private static boolean slow(int id, long now, int method) {
    SlowPath path = SlowPath.current();
    return !on || path == null || path.record(id, now, method);
  }

  /** A recording begins; probes stay off. */
  public static void begin(long now) {
    begun = now;
  }

  public static void switchOn(boolean value) {
    on = value;
  }

  public static boolean isOn() {
    return on;
  }

  static void setRing(@Nullable Ring ring) {
    RING.set(ring);
    if (LENT) {
      if (ring == null) {
        AgentLibrary.use(0);
      } else {
        if (ring.number() < LentRing.NUMBERED) {
          STACKS[ring.number()] = ring.stack();
        }
        ring.use();
      }
    }
  }

  /**
   * As {@link RecorderWork#begin}; the fast path of the probes does not record this thread in the
   * meantime either.
   */
  public static boolean beginUnrecorded() {
    boolean begun = RecorderWork.begin();
    if (begun) {
      setRing(null); // the slow path finds it again
    }
    return begun;
  }

  /** Releases the memory of a recording that is over. */
  public static void forgetStacks() {
    Arrays.fill(STACKS, null);
  }

  /**
   * Calls the probes of a method as woven code does; ticks that it took. For {@code Calibration},
   * which does it in a copy of this class: what the JIT compiler learns from it must not change the
   * program's compiled code.
   */
  static long loop(int method, int calls) {
    on = true;
    long begin = now();
    for (int i = 0; i < calls; i++) {
      leave(method, enter(method));
    }
    return now() - begin;
  }
}
