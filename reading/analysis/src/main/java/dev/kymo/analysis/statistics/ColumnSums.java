package dev.kymo.analysis.statistics;

import java.util.Arrays;

/** Time in each column. */
final class ColumnSums {
  private final TimeColumns columns;
  final long[] sums;

  /** Columns that may not be empty. */
  private int first;

  private int last = -1;

  /** Of all columns. */
  private long total;

  ColumnSums(TimeColumns columns) {
    this.columns = columns;
    this.sums = new long[columns.count()];
  }

  /** Adds the time between two times, which lie in the columns. */
  void add(long from, long to) {
    total += to - from;
    int begin = columns.of(from);
    int end = columns.of(to);
    touch(begin, end);
    if (begin == end) {
      sums[begin] += to - from;
      return;
    }
    sums[begin] += columns.begin(begin + 1) - from;
    for (int i = begin + 1; i < end; i++) {
      sums[i] += columns.width();
    }
    sums[end] += to - columns.begin(end);
  }

  private void touch(int begin, int end) {
    first = last < 0 ? begin : Math.min(first, begin);
    last = Math.max(last, end);
  }

  /** Takes away what others have, and leaves them empty; returns how much that was. */
  long take(ColumnSums others) {
    long taken = others.total;
    if (others.last >= 0) {
      total -= taken;
      touch(others.first, others.last);
      for (int i = others.first; i <= others.last; i++) {
        sums[i] -= others.sums[i];
      }
      others.clear();
    }
    return taken;
  }

  void clear() {
    if (last >= 0) {
      Arrays.fill(sums, first, last + 1, 0);
      first = 0;
      last = -1;
      total = 0;
    }
  }

  long total() {
    return total;
  }

  void merge(ColumnSums other) {
    if (other.last >= 0) {
      total += other.total;
      touch(other.first, other.last);
      for (int i = other.first; i <= other.last; i++) {
        sums[i] += other.sums[i];
      }
    }
  }
}
