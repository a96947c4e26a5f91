package dev.kymo.model.levels;

import dev.kymo.model.calls.Slice;
import java.util.Arrays;

/**
 * The slices of one track at one depth, in the order of their times: calls, and runs of short calls
 * that were merged because no more detail is kept.
 *
 * <pre>
 *   a slice, longs: 0 begin, ns · 1 end, ns · 2 method &lt;&lt; 32 | flags
 *                   call: 3 children · 4 their time, ns
 *                   run:  3 calls    · 4 time of the method that took most, ns
 * </pre>
 */
public final class SliceRow {
  public static final int SLICE = 5;
  public static final int END = 1;
  public static final int METHOD = 2;
  public static final int COUNT = 3;
  public static final int TIME = 4;

  /** Flag: a run of calls. */
  static final int RUN = 1 << 16;

  /** Flag: a run of calls of several methods. */
  private static final int MIXED = 1 << 17;

  /** Maximum length of a run in resolutions: its one method should be representative. */
  private static final long MAX_RUN = 32;

  public long[] data = new long[2 * SLICE];
  public int size;

  /** From which duration on every call is a slice by itself. */
  public long resolution;

  /** Appends a slice; true if it was not merged into the one before. */
  public boolean add(long begin, long end, long methodAndFlags, long count, long time) {
    int at = size * SLICE;
    if (at == data.length) {
      data = Arrays.copyOf(data, data.length + Math.max(2, size / 4) * SLICE);
    }
    data[at] = begin;
    data[at + END] = end;
    data[at + METHOD] = methodAndFlags;
    data[at + COUNT] = count;
    data[at + TIME] = time;
    if (resolution > 0 && size > 0 && mergeable(data, at - SLICE, at, resolution)) {
      merge(data, at - SLICE, at);
      return false;
    }
    size++;
    return true;
  }

  public boolean add(SliceRow from, int slice) {
    int at = slice * SLICE;
    long[] data = from.data;
    return add(data[at], data[at + END], data[at + METHOD], data[at + COUNT], data[at + TIME]);
  }

  /** Appends a slice as it is. */
  public void append(long[] from, int slice) {
    if (size * SLICE == data.length) {
      data = Arrays.copyOf(data, data.length * 2);
    }
    System.arraycopy(from, slice, data, size * SLICE, SLICE);
    size++;
  }

  /** Appends a slice, which is not merged with the one before. */
  public void append(long begin, long end, long methodAndFlags, long count, long time) {
    append(new long[] {begin, end, methodAndFlags, count, time}, 0);
  }

  void removeFirst(int count) {
    System.arraycopy(data, count * SLICE, data, 0, (size - count) * SLICE);
    size -= count;
  }

  void trim() {
    data = Arrays.copyOf(data, Math.max(1, size) * SLICE);
  }

  public long begin(int slice) {
    return data[slice * SLICE];
  }

  public long end(int slice) {
    return data[slice * SLICE + END];
  }

  /** Index of the first slice that ends at or after a time. */
  int firstEndingAt(long time) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (data[middle * SLICE + END] < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether the slice is a call that was open at the end. */
  public boolean open(int slice) {
    return (data[slice * SLICE + METHOD] & (RUN | Slice.OPEN_END)) == Slice.OPEN_END;
  }

  /**
   * Whether the slice is a call that a resolution keeps by itself. Open calls are always kept: they
   * end where no event is, so no decoding finds them.
   */
  public static boolean isKept(long[] data, int at, long resolution) {
    long flags = data[at + METHOD];
    return (flags & RUN) == 0
        && (data[at + END] - data[at] >= resolution || (flags & Slice.OPEN_END) != 0);
  }

  public static boolean mergeable(long[] data, int a, int b, long resolution) {
    return data[b] - data[a + END] < resolution
        && data[b + END] - data[a] <= MAX_RUN * resolution
        && !isKept(data, a, resolution)
        && !isKept(data, b, resolution);
  }

  /** Makes one run of two slices that follow each other. */
  public static void merge(long[] data, int a, int b) {
    long timeA = time(data, a);
    long timeB = time(data, b);
    int methodA = (int) (data[a + METHOD] >>> 32);
    int methodB = (int) (data[b + METHOD] >>> 32);
    int mixed = methodA == methodB ? 0 : MIXED;
    int flags = (int) (data[a + METHOD] | data[b + METHOD]) | RUN | mixed;
    int method = methodA == methodB || timeA >= timeB ? methodA : methodB;
    data[a + TIME] = methodA == methodB ? timeA + timeB : Math.max(timeA, timeB);
    data[a + COUNT] = calls(data, a) + calls(data, b);
    data[a + METHOD] = ((long) method << 32) | flags;
    data[a + END] = Math.max(data[a + END], data[b + END]);
  }

  public static int flags(long[] data, int at) {
    int flags = (int) data[at + METHOD];
    return (flags & Slice.ALL) | ((flags & (RUN | MIXED)) == RUN ? Slice.SAME_METHOD : 0);
  }

  public static long calls(long[] data, int at) {
    return (data[at + METHOD] & RUN) == 0 ? 1 : data[at + COUNT];
  }

  private static long time(long[] data, int at) {
    return (data[at + METHOD] & RUN) == 0 ? data[at + END] - data[at] : data[at + TIME];
  }
}
