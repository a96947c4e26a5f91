package dev.kymo.recorder.ring;

import dev.kymo.format.CountRecord;
import dev.kymo.format.Definition.MethodMode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one platform thread that have not ended, as far as they have probes: by them the
 * time of counted calls is known. {@link SampleTimer} says about a thousand times a second that it
 * is time to look; with its next probe, before it changes anything, the thread adds the time since
 * its last look to all counted methods that it is in. So a long call gets its time whatever is
 * called below it, a method that calls itself gets it once, and no two methods get the same time as
 * their own.
 *
 * <p>Changed by its thread only. The governor adds the time of a thread that has not come by a
 * probe for long, which changes nothing of the stack.
 *
 * <pre>
 *   a frame  bit 0      1 = counted, 0 = recorded as event
 *            1 .. 29    {@link MethodCounters#index(int)}, or the method
 *            30         it was there when {@link SampleTimer#age()} changed
 *            31         it was there at the last look
 * </pre>
 */
public final class CallStack {
  /** The place of a call that is not on any stack. */
  static final int NOWHERE = 0x3FFF;

  private static final int MARK = 1 << 31;
  private static final int AGED = 1 << 30;
  private static final int MARKS = MARK | AGED;

  /** A loop is assumed to be among this many innermost calls. */
  private static final int NEAR = 4;

  private static final int FIRST_FRAMES = 64;
  private static final VarHandle SEEN;

  static {
    try {
      SEEN = MethodHandles.lookup().findVarHandle(CallStack.class, "seen", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ThreadCounters counters;
  private int[] frames = new int[FIRST_FRAMES];
  private int depth;

  /** Clock of the last look whose time was added; 0 = none yet. */
  private long seen;

  /** Number of the look: tells which counters have got their time. */
  private long stamp;

  /** {@link SampleTimer#age()} at the last look. */
  private int age;

  /** Looks of the thread itself, and how many there were when the governor asked last. */
  private long ownLooks;

  private long ownLooksBefore;

  public CallStack(ThreadCounters.Maker maker) {
    this.counters = new ThreadCounters(maker);
  }

  public ThreadCounters counters() {
    return counters;
  }

  /** The frame of a call that is recorded as an event. */
  static int event(int method) {
    return method << 1;
  }

  /** The frame of a counted call, by {@link MethodCounters#index(int)}. */
  static int counted(int index) {
    return index << 1 | 1;
  }

  public static boolean isCounted(int frame) {
    return (frame & 1) == 1;
  }

  /** The method of {@link #event}, or the index of {@link #counted}. */
  public static int number(int frame) {
    return (frame & ~MARKS) >> 1;
  }

  /** Begins a call; returns its place, which is passed to its end. */
  int push(int frame) {
    long look = SampleTimer.latest();
    if (seen != look) {
      look(look);
    }
    int place = depth;
    if (place >= frames.length && !grow()) {
      return NOWHERE; // so deep that its time counts as its caller's own
    }
    frames[place] = frame;
    depth = place + 1;
    return place;
  }

  /**
   * The call with a place has ended, and all that it made. It may have begun in a recording before
   * this one, on another stack.
   */
  void pop(int place) {
    long look = SampleTimer.latest();
    if (seen != look) {
      look(look);
    }
    depth = Math.min(depth, place);
  }

  private boolean grow() {
    if (frames.length >= NOWHERE) {
      return false;
    }
    frames = Arrays.copyOf(frames, Math.min(NOWHERE, frames.length * 2));
    return true;
  }

  private void look(long look) {
    long before = seen;
    if (SEEN.compareAndSet(this, before, look) && before != 0) {
      ownLooks++;
      add(look - before, true);
    }
  }

  /**
   * Finds the calls among the innermost ones that have lasted for long, if the thread has come by a
   * probe since. Called by the governor, which may see a stack that has just changed.
   *
   * @param found gets frames, each as {@link #event} or {@link #counted} makes it
   * @return whether the thread has come by a probe since
   */
  public boolean longCalls(IntConsumer found) {
    int[] calls = frames;
    int count = Math.min(depth, calls.length);
    long looks = ownLooks;
    if (looks == ownLooksBefore) {
      return false;
    }
    ownLooksBefore = looks;
    for (int i = Math.max(0, count - NEAR); i < count; i++) {
      if ((calls[i] & AGED) != 0) {
        found.accept(calls[i] & ~MARKS);
      }
    }
    return true;
  }

  /** Adds the time until a look for a thread that has come by no probe for some looks. */
  public void catchUp(long look, long patience) {
    long before = seen;
    if (before != 0 && look - before > patience && SEEN.compareAndSet(this, before, look)) {
      add(look - before, false);
    }
  }

  private void add(long time, boolean mark) {
    int[] calls = frames;
    int count = Math.min(depth, calls.length);
    if (count == 0 || time <= 0) {
      return;
    }
    SampleTimer.used();
    stamp++;
    long doubt = Math.min(time, SampleTimer.interval()) >>> CountRecord.Spent.SQUARES_SHIFT;
    long square = doubt * doubt;
    for (int i = 0; i < count; i++) {
      if (!isCounted(calls[i])) {
        skip(number(calls[i]));
      }
    }
    int top = count - 1;
    int aged = mark && age != SampleTimer.age() ? AGED : 0;
    for (int i = 0; i < count; i++) {
      int frame = calls[i];
      if (isCounted(frame)) {
        int index = number(frame);
        Counter counter = counters.get(index);
        if (counter != null) {
          addTotal(counter, index, time);
          if (i == top) {
            counter.self += time;
          }
          if (i == top || frame >= 0) {
            counter.squares += square;
          }
        }
      }
      if (mark) {
        calls[i] = frame | MARK | (frame < 0 ? aged : 0);
      }
    }
    age = mark ? SampleTimer.age() : age;
    if (isCounted(calls[top])) {
      takeFromCaller(calls, top, time, square);
    }
  }

  /** The time of a method that is on the stack as an event is in its events. */
  private void skip(int method) {
    MethodCounters counted = MethodCounters.of(method);
    if (counted != null) {
      stamp(counted.index(MethodMode.TIMED));
      stamp(counted.index(MethodMode.SAMPLED));
    }
  }

  private void stamp(int index) {
    Counter counter = counters.get(index);
    if (counter != null) {
      counter.stamp = stamp;
    }
  }

  private void addTotal(Counter counter, int index, long time) {
    if (counter.stamp != stamp) {
      counter.stamp = stamp;
      counter.total += time;
      Counter other = counters.get(MethodCounters.other(index));
      if (other != null) {
        other.stamp = stamp;
      }
    }
  }

  /** The time is no one's own time but the innermost call's: not that of the event around it. */
  private void takeFromCaller(int[] calls, int top, long time, long square) {
    for (int i = top - 1; i >= 0; i--) {
      if (!isCounted(calls[i])) {
        Counter counter = below(number(calls[i]));
        if (counter != null) {
          counter.total += time;
          counter.squares += square;
        }
        return;
      }
    }
  }

  /** What is counted of a method that is recorded as events: the time of counted calls it made. */
  private @Nullable Counter below(int method) {
    return method >= MethodCounters.GOVERNED
        ? null
        : counters.getOrMake(MethodCounters.known(method), MethodMode.EVENTS);
  }
}
