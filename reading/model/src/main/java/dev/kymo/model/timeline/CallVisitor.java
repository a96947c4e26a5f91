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

  /**
   * More about a state; its {@link #call} comes next.
   *
   * @param object identity of what was waited for, 0 = unknown
   * @param other track of the thread that let it go on or, if it has not ended, has what it waits
   *     for, as {@link Arrows} have it; -1 = unknown
   */
  default void detail(int object, int other) {}
}
