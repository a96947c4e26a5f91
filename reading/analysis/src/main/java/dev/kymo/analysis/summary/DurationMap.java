package dev.kymo.analysis.summary;

import dev.kymo.analysis.selection.PlacedCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long something took when: cells of a column of time by a bucket of {@link DurationHistogram},
 * each with the longest of what is in it.
 */
public final class DurationMap {
  /** By column, then by bucket; null where nothing is. */
  private @Nullable Sums[][] cells = {};

  private static final class Sums {
    long count;
    PlacedCall longest;

    Sums(PlacedCall first) {
      longest = first;
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

  /**
   * Adds something.
   *
   * @param duration that decides in which row it is
   * @param whole how long it took as a whole
   */
  public void add(int column, long duration, int track, int depth, long begin, long whole) {
    int bucket = DurationHistogram.bucket(Math.max(0, duration));
    Sums known =
        column < cells.length && bucket < cells[column].length ? cells[column][bucket] : null;
    if (known == null) {
      put(column, bucket, 1, new PlacedCall(track, depth, begin, whole));
      return;
    }
    known.count++;
    if (whole >= known.longest.duration()) {
      take(known, new PlacedCall(track, depth, begin, whole));
    }
  }

  private static void take(Sums to, PlacedCall call) {
    if (PlacedCall.LONGEST_FIRST.compare(call, to.longest) < 0) {
      to.longest = call;
    }
  }

  private void put(int column, int bucket, long more, PlacedCall call) {
    if (column >= cells.length) {
      int length = cells.length;
      cells = Arrays.copyOf(cells, Math.max(column + 1, length * 2));
      Arrays.fill(cells, length, cells.length, new Sums[0]);
    }
    if (bucket >= cells[column].length) {
      cells[column] = Arrays.copyOf(cells[column], bucket + 1);
    }
    Sums known = cells[column][bucket];
    if (known == null) {
      known = new Sums(call);
      cells[column][bucket] = known;
    }
    known.count += more;
    take(known, call);
  }

  /** Adds what is in another one with the same columns. */
  public void merge(DurationMap other) {
    other.forEach((column, bucket, sums) -> put(column, bucket, sums.count, sums.longest));
  }

  private interface Taker {
    void take(int column, int bucket, Sums sums);
  }

  private void forEach(Taker taker) {
    for (int column = 0; column < cells.length; column++) {
      for (int bucket = 0; bucket < cells[column].length; bucket++) {
        Sums sums = cells[column][bucket];
        if (sums != null) {
          taker.take(column, bucket, sums);
        }
      }
    }
  }

  /** Where the rows begin, and where the last one ends; nothing if there is nothing. */
  public long[] bounds() {
    int first = first();
    int[] end = {first};
    forEach((_, bucket, _) -> end[0] = Math.max(end[0], bucket + 1));
    if (end[0] == first) {
      return new long[0];
    }
    long[] bounds = new long[end[0] - first + 1];
    Arrays.setAll(bounds, i -> DurationHistogram.bound(first + i));
    return bounds;
  }

  private int first() {
    int[] first = {Integer.MAX_VALUE};
    forEach((_, bucket, _) -> first[0] = Math.min(first[0], bucket));
    return first[0];
  }

  /** The cells that are not empty, in the order of time. */
  public List<Cell> cells() {
    int first = first();
    List<Cell> found = new ArrayList<>();
    forEach((column, bucket, sums) ->
        found.add(new Cell(column, bucket - first, sums.count, sums.longest)));
    return found;
  }
}
