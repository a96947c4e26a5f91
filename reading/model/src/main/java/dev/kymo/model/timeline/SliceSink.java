package dev.kymo.model.timeline;

import dev.kymo.model.calls.Slice;

/** Takes the slices of a window. */
@FunctionalInterface
public interface SliceSink {
  /**
   * One call, or a run of short calls.
   *
   * @param depth 0 = outermost
   * @param method of the call; in a run, the one that took most of its time
   * @param calls 1 = a single call with exact times; more = a run
   * @param flags sum of {@link Slice} constants
   */
  void slice(int depth, int method, long begin, long end, long calls, int flags);
}
