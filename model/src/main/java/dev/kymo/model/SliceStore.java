package dev.kymo.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slices of all tracks in bounded memory. As long as they fit, every call is kept; when they no
 * longer do, the resolution is made coarser until half of the room is free.
 */
final class SliceStore {
  private static final long FIRST_RESOLUTION = 64;
  private static final long LAST_RESOLUTION = 1L << 56;

  private final List<SliceRow[]> tracks = new ArrayList<>();
  private long budget;
  private long resolution;
  private long kept;

  /**
   * An empty store.
   *
   * @param budget slices to be kept at most, more or less
   * @param resolution nanoseconds from which on calls are kept by themselves; 0 = all
   */
  SliceStore(long budget, long resolution) {
    this.budget = budget;
    this.resolution = resolution;
  }

  /** Calls that take at least so many nanoseconds are there by themselves. */
  long resolution() {
    return resolution;
  }

  void add(int track, int depth, long begin, long end, long word, long children, long time) {
    SliceRow row = row(track, depth);
    if (row.add(begin, end, word, children, time) && ++kept > budget) {
      compact();
    }
  }

  private SliceRow row(int track, int depth) {
    while (track >= tracks.size()) {
      tracks.add(new SliceRow[0]);
    }
    SliceRow[] rows = tracks.get(track);
    if (depth >= rows.length) {
      int from = rows.length;
      rows = Arrays.copyOf(rows, depth + 1);
      for (int i = from; i <= depth; i++) {
        rows[i] = new SliceRow();
        rows[i].resolution = resolution;
      }
      tracks.set(track, rows);
    }
    return rows[depth];
  }

  private void compact() {
    while (kept > budget / 2 && resolution < LAST_RESOLUTION) {
      resolution = Math.max(FIRST_RESOLUTION, resolution * 2);
      kept = 0;
      for (SliceRow[] rows : tracks) {
        for (SliceRow row : rows) {
          row.coarsen(resolution);
          kept += row.size;
        }
      }
    }
    budget = Math.max(budget, kept * 2); // so many rows that each holds next to nothing
  }

  /** The rows of a track by depth. */
  SliceRow[] rows(int track) {
    return track < tracks.size() ? tracks.get(track) : new SliceRow[0];
  }

  /** The finest row and coarser ones made from it, each with at most half as many slices. */
  static SliceRow[] levels(SliceRow row, long duration) {
    row.trim();
    List<SliceRow> levels = new ArrayList<>(List.of(row));
    long resolution = Math.max(FIRST_RESOLUTION, row.resolution);
    SliceRow last = row;
    while (last.size > 64 && resolution < duration) {
      resolution *= 4;
      SliceRow coarser = last.copy(resolution);
      if (coarser.size <= last.size / 2) {
        coarser.trim();
        levels.add(coarser);
        last = coarser;
      }
    }
    return levels.toArray(new SliceRow[0]);
  }

  /** The coarsest of the levels that still has every call of this duration; null if none does. */
  static @Nullable SliceRow level(SliceRow[] levels, long resolution) {
    SliceRow found = null;
    for (SliceRow level : levels) {
      if (level.resolution <= resolution) {
        found = level;
      }
    }
    return found;
  }
}
