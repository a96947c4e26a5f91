package dev.kymo.analysis.summary;

import dev.kymo.analysis.selection.CallCollector;
import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;

/** How long the calls of one method took when. */
public final class Latencies implements CallCollector<Latencies> {
  private final int wanted;
  private final long from;
  private final long width;
  private final int columns;
  private final DurationMap map = new DurationMap();
  private int track;

  private Latencies(int method, long from, long width, int columns) {
    this.wanted = method;
    this.from = from;
    this.width = width;
    this.columns = columns;
  }

  /**
   * Goes through the calls of a selection. Those that began before it are in the first column.
   *
   * @param columns of equal width that the selection is divided into
   */
  public static Latencies of(
      Timeline timeline, TimelineSelection selection, int method, int columns, Progress progress) {
    long to = Math.max(selection.from(), Math.min(selection.to(), timeline.duration()));
    long width = Math.max(1, Math.ceilDiv(to - selection.from(), columns));
    return CallWalk.run(
        timeline,
        selection,
        progress,
        () -> new Latencies(method, selection.from(), width, columns));
  }

  @Override
  public void track(int next) {
    track = next;
  }

  @Override
  public void call(int depth, int method, long begin, long end, int flags) {
    if (method == wanted) {
      long duration = Math.max(0, end - begin);
      int column = Math.clamp((begin - from) / width, 0, columns - 1);
      map.add(column, duration, track, depth, begin, duration);
    }
  }

  @Override
  public void merge(Latencies other) {
    map.merge(other.map);
  }

  /** Begin of the first column. */
  public long from() {
    return from;
  }

  /** Nanoseconds of a column. */
  public long width() {
    return width;
  }

  /** The calls, each with its whole duration. */
  public DurationMap map() {
    return map;
  }
}
