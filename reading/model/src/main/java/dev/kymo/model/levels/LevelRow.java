package dev.kymo.model.levels;

import java.util.Arrays;

/**
 * One depth of one track at one zoom level: chunks in the level's file, and the last slices, which
 * may still grow and have not yet been handed to the next level.
 */
final class LevelRow {
  private static final int ENTRY = 3;

  /** For each chunk: offset, bytes, end of its last slice. */
  private long[] chunks = {};

  private int count;
  final SliceRow tail = new SliceRow();

  LevelRow(long resolution) {
    tail.resolution = resolution;
  }

  void add(long offset, int bytes, long end) {
    int at = count * ENTRY;
    if (at == chunks.length) {
      chunks = Arrays.copyOf(chunks, Math.max(ENTRY, count * 2 * ENTRY));
    }
    chunks[at] = offset;
    chunks[at + 1] = bytes;
    chunks[at + 2] = end;
    count++;
  }

  int chunks() {
    return count;
  }

  long offset(int chunk) {
    return chunks[chunk * ENTRY];
  }

  int bytes(int chunk) {
    return (int) chunks[chunk * ENTRY + 1];
  }

  long end(int chunk) {
    return chunks[chunk * ENTRY + 2];
  }

  /** The first chunk that has a slice which ends at or after a time. */
  int firstEndingAt(long time) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (end(middle) < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
