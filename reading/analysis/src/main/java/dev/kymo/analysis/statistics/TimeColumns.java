package dev.kymo.analysis.statistics;

import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;

/**
 * A selection's time in columns of equal width.
 *
 * @param from begin of the first
 * @param width nanoseconds of each
 * @param to end of the last that has something: the last may be cut off
 */
public record TimeColumns(long from, long width, int count, long to) {
  /** The columns of the part of a selection that lies in the recording. */
  public static TimeColumns of(Timeline timeline, TimelineSelection selection, int count) {
    long from = Math.max(0, selection.from());
    long to = Math.max(from, Math.min(selection.to(), timeline.duration()));
    // The last event belongs to the last column.
    return new TimeColumns(from, Math.max(1, Math.ceilDiv(to - from + 1, count)), count, to);
  }

  /** The column of a time; what is before or after them is in the first or the last. */
  public int of(long time) {
    return (int) Math.clamp((time - from) / width, 0L, count - 1L);
  }

  /** Begin of a column. */
  public long begin(int column) {
    return from + column * width;
  }
}
