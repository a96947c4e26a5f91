package dev.kymo.exporters.source;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.Slice;
import org.jspecify.annotations.Nullable;

/** A call that has ended; the same object stands for the next one later. Nanoseconds. */
public final class EndedCall {
  int method;
  int depth;
  int flags;
  long begin;
  long end;
  long beginClock;
  long endClock;
  int object;
  int other;
  @Nullable EventData data;

  EndedCall() {}

  void take(CallCursor call, long from, long to, @Nullable EventData atEnd) {
    method = call.method();
    depth = call.depth();
    flags = call.flags();
    beginClock = call.begin();
    endClock = call.end();
    begin = from;
    end = to;
    object = call.hasDetail() ? call.object() : 0;
    other = call.hasDetail() ? call.other() : 0;
    data = atEnd;
  }

  public int method() {
    return method;
  }

  /** How many calls are around it. */
  public int depth() {
    return depth;
  }

  /** Sum of {@link Slice} constants and {@link CallCursor#NESTED}. */
  public int flags() {
    return flags;
  }

  /** Whether nothing special is known. */
  public boolean isPlain() {
    return (flags & Slice.ALL) == 0 && object == 0 && other == 0 && data == null;
  }

  public long begin() {
    return begin;
  }

  public long end() {
    return end;
  }

  /** The begin in clock ticks: sums of differences of these are not rounded. */
  public long beginClock() {
    return beginClock;
  }

  /** The end in clock ticks. */
  public long endClock() {
    return endClock;
  }

  /** Identity of what a state waited for; 0 = unknown. */
  public int object() {
    return object;
  }

  /** Number in the process of who ended a state; 0 = unknown. */
  public int other() {
    return other;
  }

  /** Data of the user event that ended it. */
  public @Nullable EventData data() {
    return data;
  }
}
