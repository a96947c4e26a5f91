package dev.kymo.model;

import java.util.Arrays;

/** Counts events by time while the end of the recording is not known: buckets double in width. */
final class OverviewBuilder {
  private static final int FIRST_SHIFT = 10;

  private final long[] events = new long[Overview.BUCKETS];
  private final long[] lost = new long[Overview.BUCKETS];
  private int shift = FIRST_SHIFT;
  private int used = 1;

  /** Counts events that happened between two times, as if evenly. */
  void add(long from, long to, long count) {
    spread(events, from, to, count);
  }

  /** Counts lost events. */
  void addLost(long from, long to, long count) {
    spread(lost, from, to, count);
  }

  private void spread(long[] buckets, long from, long to, long count) {
    while (to >>> shift >= Overview.BUCKETS) {
      halve(events);
      halve(lost);
      shift++;
      used = (used + 1) / 2;
    }
    int first = (int) (from >>> shift);
    int last = (int) (to >>> shift);
    used = Math.max(used, last + 1);
    long left = count;
    for (int i = first; i < last && left > 0; i++) {
      long end = (i + 1L) << shift;
      long part = (long) ((double) count * (end - Math.max(from, (long) i << shift)) / (to - from));
      part = Math.min(left, part);
      buckets[i] += part;
      left -= part;
    }
    buckets[last] += left;
  }

  private static void halve(long[] buckets) {
    for (int i = 0; i < Overview.BUCKETS / 2; i++) {
      buckets[i] = buckets[2 * i] + buckets[2 * i + 1];
    }
    Arrays.fill(buckets, Overview.BUCKETS / 2, Overview.BUCKETS, 0);
  }

  void writeTo(Bytes to) {
    to.number(shift).number(used);
    for (int i = 0; i < used; i++) {
      to.number(events[i]).number(lost[i]);
    }
  }

  static OverviewBuilder read(ByteCursor from) {
    OverviewBuilder builder = new OverviewBuilder();
    builder.shift = (int) from.number();
    builder.used = Math.min(from.count(), Overview.BUCKETS);
    for (int i = 0; i < builder.used; i++) {
      builder.events[i] = from.number();
      builder.lost[i] = from.number();
    }
    return builder;
  }

  Overview build() {
    return new Overview(1L << shift, Arrays.copyOf(events, used), Arrays.copyOf(lost, used));
  }
}
