package dev.kymo.analysis.summary;

import dev.kymo.analysis.selection.PlacedCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How long something took when: cells of a column of time by a bucket of {@link DurationHistogram},
 * each with the longest of what is in it.
 */
public final class DurationMap {
  /** More than there are buckets. */
  private static final int COLUMN = 256;

  private final Map<Integer, Sums> cells = new HashMap<>();

  private static final class Sums {
    long count;
    PlacedCall longest;

    Sums(PlacedCall first) {
      longest = first;
    }

    void add(long more, PlacedCall call) {
      count += more;
      if (PlacedCall.LONGEST_FIRST.compare(call, longest) < 0) {
        longest = call;
      }
    }
  }

  /**
   * What began in the same time and took about as long.
   *
   * @param column of time, from 0
   * @param row of duration: the place of its lower bound in {@link #bounds}
   */
  public record Cell(int column, int row, long count, PlacedCall longest) {}

  /** Nothing yet. */
  public DurationMap() {}

  /** Adds something. */
  public void add(int column, long duration, PlacedCall call) {
    put(column * COLUMN + DurationHistogram.bucket(Math.max(0, duration)), 1, call);
  }

  private void put(int key, long more, PlacedCall call) {
    cells.computeIfAbsent(key, _ -> new Sums(call)).add(more, call);
  }

  /** Adds what is in another one with the same columns. */
  public void merge(DurationMap other) {
    other.cells.forEach((key, sums) -> put(key, sums.count, sums.longest));
  }

  /** Where the rows begin, and where the last one ends; nothing if there is nothing. */
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

  /** The cells that are not empty, in the order of time. */
  public List<Cell> cells() {
    int first = first();
    List<Cell> found = new ArrayList<>();
    cells.forEach((key, sums) ->
        found.add(new Cell(key / COLUMN, key % COLUMN - first, sums.count, sums.longest)));
    found.sort(Comparator.comparingInt(Cell::column).thenComparingInt(Cell::row));
    return found;
  }
}
