package dev.kymo.recorder.ring;

import dev.kymo.format.CountersLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts one thread's calls of one method in one mode; in mode EVENTS the time of the counted calls
 * that they made. Written by that thread only (a carrier's by the virtual threads on it), in plain
 * fields, because that is what costs least; the housekeeper copies it into shared memory, so what a
 * killed program has counted in its last tenth of a second is not known.
 */
public final class Counter {
  /**
   * Of a sampled method's calls every 128th is timed, on average. Rarer than 1 in 118 (HotSpot's
   * {@code MinInlineFrequencyRatio}), so the JIT compiler does not make the timing part of the
   * program's methods.
   */
  private static final int SHORTEST = 64;

  private static final int SPREAD_BITS = 7;

  /** Spreads the timed calls, so that they do not synchronize with the program. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private static final VarHandle COUNTED;

  static {
    try {
      COUNTED = MethodHandles.lookup().findVarHandle(Counter.class, "counted", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The platform thread, also where virtual threads run on it. */
  final Thread owner;

  /** Where it is copied to in {@link Counters}. */
  public final int block;

  final boolean sampled;

  /** Of the owner. */
  private final CallStack stack;

  private final int frame;

  /** Calls begun, and those up to the next timed one. */
  private long counted = 1;

  /** Calls up to the next timed one, including it. */
  private int untilTimed = 1;

  /** Calls timed, when they ended. */
  public long timed;

  /** Ticks of timed calls that lay in no other one. */
  long ticks;

  /** Ticks of all timed calls. */
  public long durations;

  long max;

  /** Timed calls that are running. */
  int running;

  final int[] histogram = new int[CountersLayout.BUCKETS];

  /** Calls that are visible to other threads. */
  public long published;

  /** What {@link #published} was when the governor looked last. */
  public long callsBefore;

  /**
   * Ticks in which the owner was in the method, and those in which it was in no other: by looks.
   */
  public long total;

  long self;

  /**
   * Of the time that a look stands for, of those looks that may have added too much or too little.
   */
  long squares;

  /** Calls that were on no {@link CallStack}: those of virtual threads. */
  long unplaced;

  /** The look of the owner's stack that has added to the total. */
  long stamp;

  /** Time that is visible to other threads. */
  public long publishedTime;

  /**
   * A counter.
   *
   * @param index {@link MethodCounters#index(int)}
   */
  public Counter(Thread owner, CallStack stack, int index, int block, boolean sampled) {
    this.owner = owner;
    this.stack = stack;
    this.frame = CallStack.counted(index);
    this.block = block;
    this.sampled = sampled;
  }

  /** The owner begins a call; returns its place. */
  int push() {
    return stack.push(frame);
  }

  /** The owner has ended the call with a place. */
  void pop(int place) {
    stack.pop(place);
  }

  /**
   * Calls begun. While the owner counts it may be too low by some, but never too high, and it is
   * right as soon as the owner does something else.
   */
  public long calls() {
    long upTo = (long) COUNTED.getAcquire(this);
    return upTo - untilTimed;
  }

  /** Counts a call that is not to be timed; false if it is. */
  boolean countUntimed() {
    int left = untilTimed - 1;
    if (left <= 0) {
      return false;
    }
    untilTimed = left;
    return true;
  }

  /**
   * Counts a call that is timed. The number of calls is written last, or others read too many.
   *
   * @param virtual whether a virtual thread makes it
   */
  void countTimed(boolean virtual) {
    if (sampled) {
      int next = SHORTEST + (int) ((counted * SPREAD) >>> (Long.SIZE - SPREAD_BITS));
      untilTimed = next;
      COUNTED.setRelease(this, counted + next);
    } else {
      running += virtual ? 0 : 1;
      COUNTED.setRelease(this, counted + 1);
    }
  }

  /**
   * A timed call has ended.
   *
   * @param virtual whether a virtual thread made it: then it may have begun with another carrier's
   *     counter, and in which other calls of the method it lay cannot be told
   */
  void end(long time, boolean virtual) {
    long duration = Math.max(0, time);
    timed++;
    durations += duration;
    if (!virtual && (sampled || --running <= 0)) {
      ticks += duration;
    }
    if (duration > max) {
      max = duration;
    }
    histogram[CountersLayout.bucket(duration)]++;
  }
}
