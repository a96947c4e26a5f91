package dev.kymo.model;

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
    List<Caller> callers) {

  /** A call around another one. */
  public record Caller(int method, long begin, long end) {}

  /** Nanoseconds not spent in recorded calls made by this one. */
  public long selfTime() {
    return end - begin - childTime;
  }
}
