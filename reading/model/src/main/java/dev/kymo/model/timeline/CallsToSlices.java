package dev.kymo.model;

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
  public final void call(
      ThreadCalls thread,
      int depth,
      int method,
      long begin,
      long end,
      long childTime,
      long children,
      int flags) {
    put(
        thread.index(),
        depth,
        begins.nanos(begin),
        ends.nanos(end),
        ((long) method << 32) | flags,
        children,
        begins.duration(childTime));
  }

  abstract void put(
      int track, int depth, long begin, long end, long word, long children, long childTime);
}
