package dev.kymo.model.timeline;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.definitions.NanoClock;

/** Takes calls in nanoseconds instead of clock ticks, as slices have them. */
abstract class CallsToSlices implements CallSink {
  /** Begins and ends lie apart: each has its own converter, which stays in its second. */
  private final NanoClock begins;

  private final NanoClock ends;

  CallsToSlices(CallPass pass) {
    this.begins = pass.nanoClock();
    this.ends = pass.nanoClock();
  }

  @Override
  public final void call(CallCursor call) {
    put(call, begins.nanos(call.begin()), ends.nanos(call.end()));
  }

  /** Takes a call; times are nanoseconds. */
  abstract void put(CallCursor call, long begin, long end);

  /** {@code method << 32 | flags}, as slices have them. */
  static long word(CallCursor call) {
    return ((long) call.method() << 32) | call.flags();
  }

  /** Nanoseconds that the calls made directly by a call took. */
  final long childTime(CallCursor call) {
    return begins.duration(call.childTime());
  }
}
