package dev.kymo.model.calls;

import dev.kymo.format.ThreadRecord;

/**
 * The call that a {@link CallSink} takes: it has ended, or is not known any further. The same
 * object stands for one call after the other, because there are hundreds of millions; whoever keeps
 * a call copies what it needs. Times are clock ticks.
 */
public final class CallCursor {
  /** Flag: an outer call of the same method was running on the thread. */
  public static final int NESTED = 256;

  private final CallSink sink;
  private ThreadCalls thread;
  private int depth;
  private int method;
  private int flags;
  private long begin;
  private long end;
  private long childTime;
  private long children;

  /** {@link ThreadRecord#detail}; 0 = nothing. */
  private long detail;

  @SuppressWarnings("NullAway.Init") // the thread is there as soon as there is a call
  public CallCursor(CallSink sink) {
    this.sink = sink;
  }

  /** The cursor's only user. */
  CallSink sink() {
    return sink;
  }

  /** More is known of the call that comes next. */
  void detail(long ofNext) {
    detail = ofNext;
  }

  /** Goes to a call; {@link #hand} follows. */
  void put(ThreadCalls of, int atDepth, int ofMethod, int withFlags) {
    if (thread != of) {
      thread = of;
    }
    depth = atDepth;
    method = ofMethod;
    flags = withFlags;
  }

  void hand(long from, long to, long timeOfChildren, long countOfChildren) {
    begin = from;
    end = to;
    childTime = timeOfChildren;
    children = countOfChildren;
    sink.call(this);
    if (detail != 0) {
      detail = 0;
    }
  }

  public ThreadCalls thread() {
    return thread;
  }

  /** How many calls are around it; 0 = outermost. */
  public int depth() {
    return depth;
  }

  /** Number of the call among those of the thread, from 0, in the order of their begins. */
  public long number() {
    return thread.number(depth);
  }

  /** Number of the call that made this one; -1 = it is outermost. */
  public long parent() {
    return depth == 0 ? -1 : thread.number(depth - 1);
  }

  /** Number of the method in the recording. */
  public int method() {
    return method;
  }

  /** Sum of {@link Slice} constants and {@link #NESTED}. */
  public int flags() {
    return flags;
  }

  /** Whether it has one of some flags. */
  public boolean is(int flag) {
    return (flags & flag) != 0;
  }

  /** Clock at which it began. */
  public long begin() {
    return begin;
  }

  /** Clock at which it ended. */
  public long end() {
    return end;
  }

  /** Ticks that the calls made directly by this one took. */
  public long childTime() {
    return childTime;
  }

  /** How many calls it made directly. */
  public long children() {
    return children;
  }

  /**
   * How many calls began on its thread while it was running: those it made, and those they made.
   */
  public long below() {
    return thread.begun() - thread.number(depth) - 1;
  }

  /** Whether more is known: it is a state, and who ended it or what it waited for is recorded. */
  public boolean hasDetail() {
    return detail != 0;
  }

  /** Of a state: identity of what was waited for; 0 = unknown. */
  public int object() {
    return ThreadRecord.detailObject(detail);
  }

  /**
   * Of a state: number of the thread in the process, one of states, that let it continue or, if it
   * has not ended, has what it waits for; 0 = unknown.
   */
  public int other() {
    return ThreadRecord.detailOther(detail);
  }
}
