package dev.kymo.model.timeline;

import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.Slice;

/** Takes the calls of a track, each when it ends: a call's own calls come before it. */
@FunctionalInterface
public interface CallVisitor {
  /**
   * A call. Times are nanoseconds since the recording's begin, also outside the window asked for.
   *
   * @param depth 0 = outermost
   * @param flags sum of {@link Slice} constants and {@link CallCursor#NESTED}
   */
  void call(int depth, int method, long begin, long end, int flags);

  /**
   * More about a state; its {@link #call} comes next.
   *
   * @param object identity of what was waited for, 0 = unknown
   * @param other track of the thread that let it continue or, if it has not ended, has what it
   *     waits for, as in {@link Arrows}; -1 = unknown
   */
  default void detail(int object, int other) {}
}
