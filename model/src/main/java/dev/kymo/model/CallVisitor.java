package dev.kymo.model;

/** Takes the calls of a track, each when it ends: what a call has called comes before it. */
@FunctionalInterface
public interface CallVisitor {
  /**
   * A call. Times are nanoseconds since the recording's begin, also outside the window asked for.
   *
   * @param depth 0 = outermost
   * @param flags sum of {@link Slice} constants and {@link CallSink#NESTED}
   */
  void call(int depth, int method, long begin, long end, int flags);
}
