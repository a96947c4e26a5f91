package dev.kymo.model.replay;

import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;
import java.util.Arrays;

/** Counts events by time while the end of the recording is not known: buckets double in width. */
public final class OverviewBuilder {
  private static final int FIRST_SHIFT = 10;

  private final long[] events = new long[Overview.BUCKETS];
  private final long[] lost = new long[Overview.BUCKETS];
  private int shift = FIRST_SHIFT;
  private int used = 1;

  public OverviewBuilder() {}

  /** Counts events, each where it happened; {@code clocks} never go back. */
  void add(NanoClock clock, long[] clocks, int count) {
    reach(clock.nanos(clocks[count - 1]));
    add(clock, clocks, 0, count);
  }

  /**
   * A packet may last a tenth of a recording or a thousandth of a bucket, so few clocks are looked
   * at.
   */
  private void add(NanoClock clock, long[] clocks, int begin, int end) {
    int first = (int) (clock.nanos(clocks[begin]) >>> shift);
    int last = (int) (clock.nanos(clocks[end - 1]) >>> shift);
    if (first == last) {
      events[first] += end - begin;
      return;
    }
    int middle = (begin + end) >>> 1;
    add(clock, clocks, begin, middle);
    add(clock, clocks, middle, end);
  }

  /** Counts lost events between two times, as if evenly. */
  void addLost(long from, long to, long count) {
    reach(to);
    spread(lost, from, to, count);
  }

  /** Makes the buckets so wide that a time is in one of them. */
  private void reach(long to) {
    while (to >>> shift >= Overview.BUCKETS) {
      halve(events);
      halve(lost);
      shift++;
      used = (used + 1) / 2;
    }
    used = Math.max(used, (int) (to >>> shift) + 1);
  }

  private void spread(long[] buckets, long from, long to, long count) {
    int first = (int) (from >>> shift);
    int last = (int) (to >>> shift);
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

  void writeTo(ByteWriter to) {
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

  public Overview build() {
    return new Overview(1L << shift, Arrays.copyOf(events, used), Arrays.copyOf(lost, used));
  }
}
