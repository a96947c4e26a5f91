package dev.kymo.analysis.summary;

import dev.kymo.analysis.selection.CallCollector;
import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How long the calls of one method took when: cells of a time by a bucket of {@link
 * DurationHistogram}, each with its longest call.
 */
public final class Latencies implements CallCollector<Latencies> {
  /** More than there are buckets. */
  private static final int COLUMN = 256;

  private final int wanted;
  private final long from;
  private final long width;
  private final int columns;
  private final Map<Integer, Sums> cells = new HashMap<>();
  private int track;

  private static final class Sums {
    long count;
    PlacedCall longest;

    Sums(PlacedCall first) {
      longest = first;
    }

    void add(long calls, PlacedCall call) {
      count += calls;
      if (PlacedCall.LONGEST_FIRST.compare(call, longest) < 0) {
        longest = call;
      }
    }
  }

  /**
   * Calls that began in the same time and took about as long.
   *
   * @param column of time, from 0
   * @param row of duration: the place of its lower bound in {@link #bounds}
   */
  public record Cell(int column, int row, long count, PlacedCall longest) {}

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
      int key = column * COLUMN + DurationHistogram.bucket(duration);
      add(key, 1, new PlacedCall(track, depth, begin, duration));
    }
  }

  private void add(int key, long calls, PlacedCall call) {
    cells.computeIfAbsent(key, k -> new Sums(call)).add(calls, call);
  }

  @Override
  public void merge(Latencies other) {
    other.cells.forEach((key, sums) -> add(key, sums.count, sums.longest));
  }

  /** Begin of the first column. */
  public long from() {
    return from;
  }

  /** Nanoseconds of a column. */
  public long width() {
    return width;
  }

  /** Where the rows begin, and where the last one ends; nothing if there is no call. */
  public long[] bounds() {
    if (cells.isEmpty()) {
      return new long[0];
    }
    int last = cells.keySet().stream().mapToInt(key -> key % COLUMN).max().orElse(0);
    long[] bounds = new long[last - first() + 2];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = DurationHistogram.bound(first() + i);
    }
    return bounds;
  }

  private int first() {
    return cells.keySet().stream().mapToInt(key -> key % COLUMN).min().orElse(0);
  }

  /** The cells that there is a call in, in the order of time. */
  public List<Cell> cells() {
    int first = first();
    List<Cell> found = new ArrayList<>();
    cells.forEach((key, sums) ->
        found.add(new Cell(key / COLUMN, key % COLUMN - first, sums.count, sums.longest)));
    found.sort(Comparator.comparingInt(Cell::column).thenComparingInt(Cell::row));
    return found;
  }
}
