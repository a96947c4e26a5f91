package dev.kymo.model.timeline;

import dev.kymo.model.levels.SliceRow;

/** Hands the slices of one depth to a sink, merging those that are too short to be seen. */
final class RowWriter {
  private final SliceSink sink;
  private final int depth;
  private final long resolution;

  /** Two slices: the one that may still grow, and the next. */
  private final long[] pair = new long[2 * SliceRow.SLICE];

  private boolean pending;

  RowWriter(SliceSink sink, int depth, long resolution) {
    this.sink = sink;
    this.depth = depth;
    this.resolution = resolution;
  }

  void add(long[] data, int at) {
    if (!pending) {
      System.arraycopy(data, at, pair, 0, SliceRow.SLICE);
      pending = true;
      return;
    }
    System.arraycopy(data, at, pair, SliceRow.SLICE, SliceRow.SLICE);
    if (SliceRow.mergeable(pair, 0, SliceRow.SLICE, resolution)) {
      SliceRow.merge(pair, 0, SliceRow.SLICE);
    } else {
      write();
      System.arraycopy(pair, SliceRow.SLICE, pair, 0, SliceRow.SLICE);
      pending = true;
    }
  }

  /** Nothing follows at this depth. */
  void write() {
    if (pending) {
      long word = pair[SliceRow.METHOD];
      sink.slice(
          depth,
          (int) (word >>> 32),
          pair[0],
          pair[SliceRow.END],
          SliceRow.calls(pair, 0),
          SliceRow.flags(pair, 0));
      pending = false;
    }
  }

  /** Adds the slices of two rows in the order of their times. */
  void addBoth(SliceRow kept, SliceRow more) {
    int i = 0;
    int j = 0;
    while (i < kept.size || j < more.size) {
      if (i < kept.size && (j == more.size || before(kept, i, more, j))) {
        add(kept.data, i++ * SliceRow.SLICE);
      } else {
        add(more.data, j++ * SliceRow.SLICE);
      }
    }
  }

  private static boolean before(SliceRow a, int i, SliceRow b, int j) {
    return a.begin(i) != b.begin(j) ? a.begin(i) < b.begin(j) : a.end(i) <= b.end(j);
  }
}
