package dev.kymo.model.timeline;

import dev.kymo.model.levels.SliceRow;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Slices of one track that were decoded again for a window, by depth, merged where they cannot be
 * distinguished. If there are still too many, the resolution is made coarser.
 */
final class WindowRows {
  private static final int MAX = 1_000_000;

  private final IntPredicate depths;
  private SliceRow[] rows = {};
  private long resolution;
  private int kept;

  WindowRows(long resolution, IntPredicate depths) {
    this.resolution = resolution;
    this.depths = depths;
  }

  void add(int depth, long begin, long end, long word, long children, long time) {
    if (!depths.test(depth)) {
      return;
    }
    if (depth >= rows.length) {
      int from = rows.length;
      rows = Arrays.copyOf(rows, depth + 1);
      for (int i = from; i <= depth; i++) {
        rows[i] = new SliceRow();
        rows[i].resolution = resolution;
      }
    }
    if (rows[depth].add(begin, end, word, children, time) && ++kept > MAX) {
      coarsen();
    }
  }

  private void coarsen() {
    while (kept > MAX / 2 && resolution < Long.MAX_VALUE / 4) {
      resolution = Math.max(64, resolution * 2);
      kept = 0;
      for (int depth = 0; depth < rows.length; depth++) {
        SliceRow coarser = new SliceRow();
        coarser.resolution = resolution;
        for (int i = 0; i < rows[depth].size; i++) {
          coarser.add(rows[depth], i);
        }
        rows[depth] = coarser;
        kept += coarser.size;
      }
    }
  }

  int depths() {
    return rows.length;
  }

  /** The slices of a depth; none if nothing was there. */
  SliceRow row(int depth) {
    return depth < rows.length ? rows[depth] : new SliceRow();
  }
}
