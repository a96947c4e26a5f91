package dev.kymo.model.timeline;

import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.calls.Slice;
import java.util.List;

/**
 * One call, enter to leave.
 *
 * @param method number of the method
 * @param depth 0 = outermost
 * @param children calls made directly by this one
 * @param childTime nanoseconds those took; self time is the rest
 * @param flags sum of {@link Slice} constants
 * @param callers from the outermost to the direct one
 * @param object of a state: distinguishes objects of one class; 0 = unknown
 * @param other of a state: track of the thread that let it continue, as in {@link Arrows}; -1 =
 *     unknown
 */
public record CallDetail(
    int track,
    int method,
    int depth,
    long begin,
    long end,
    long children,
    long childTime,
    int flags,
    List<Caller> callers,
    int object,
    int other) {

  /** A call around another one. */
  public record Caller(int method, long begin, long end) {}

  /** Nanoseconds not spent in recorded calls made by this one. */
  public long selfTime() {
    return end - begin - childTime;
  }
}
