package dev.kymo.model;

/** Puts calls into a store of slices, in nanoseconds. */
class CallsToSlices implements CallSink {
  private final SliceStore store;

  /** Begins and ends lie apart: each has its own converter, which stays in its second. */
  private final NanoClock begins;

  private final NanoClock ends;

  CallsToSlices(SliceStore store, CallPass pass) {
    this.store = store;
    this.begins = pass.nanoClock();
    this.ends = pass.nanoClock();
  }

  @Override
  public void call(
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

  void put(int track, int depth, long begin, long end, long word, long children, long childTime) {
    store.add(track, depth, begin, end, word, children, childTime);
  }
}
