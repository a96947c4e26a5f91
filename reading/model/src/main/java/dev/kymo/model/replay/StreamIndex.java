package dev.kymo.model.replay;

import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;
import java.util.Arrays;

/** Some packets of one stream, from which reading can begin. */
final class StreamIndex {
  private final long spacing;
  private long[] offsets = {};
  private long[] floors = {};
  private int count;
  private int process;

  /** Keeps one packet in {@code spacing} bytes. */
  StreamIndex(long spacing) {
    this.spacing = spacing;
  }

  void add(long offset, long floor, int ofProcess) {
    if (count > 0 && offset < offsets[count - 1] + spacing) {
      return;
    }
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, Math.max(4, count * 2));
      floors = Arrays.copyOf(floors, offsets.length);
    }
    process = ofProcess;
    offsets[count] = offset;
    floors[count++] = floor;
  }

  int process() {
    return process;
  }

  /** The last packet before which everything happened before a clock; 0 if there is none. */
  int before(long clock) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (floors[middle] < clock) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Math.max(0, low - 1);
  }

  /** The last packet at or before an offset. */
  int at(long offset) {
    int found = Arrays.binarySearch(offsets, 0, count, offset);
    return found >= 0 ? found : Math.max(0, -found - 2);
  }

  long offset(int entry) {
    return offsets[entry];
  }

  long floor(int entry) {
    return floors[entry];
  }

  void writeTo(ByteWriter to) {
    to.number(process).number(count);
    for (int i = 0; i < count; i++) {
      to.number(offsets[i]).number(floors[i]);
    }
  }

  void readFrom(ByteCursor from) {
    int ofProcess = (int) from.number();
    int entries = from.count();
    process = ofProcess;
    offsets = new long[entries];
    floors = new long[entries];
    for (count = 0; count < entries; count++) {
      offsets[count] = from.number();
      floors[count] = from.number();
    }
  }
}
