package dev.kymo.model.arrows;

import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;
import dev.kymo.model.index.Contents;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Counters that each thread reported values of, with their range and some of the values: a picture
 * needs that before it reads any of them. Added to by one thread; others may ask when it does not.
 */
public final class CounterRanges {
  /** More are damage, or not counters. */
  private static final int MAX = 1 << 16;

  /** Values kept of each: all of a rare one; of others every second, fourth, ... */
  private static final int KEPT = 256;

  private final Map<Long, Range> ranges = new TreeMap<>();

  private static final class Range {
    long count;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;

    /** One in this many values is kept. */
    long every = 1;

    int kept;
    long[] times = new long[4];
    double[] values = new double[4];

    void add(long time, double value) {
      if (count++ % every == 0) {
        keep(time, value);
      }
      min = Math.min(min, value);
      max = Math.max(max, value);
    }

    private void keep(long time, double value) {
      if (kept == KEPT) {
        thinOut();
        if ((count - 1) % every != 0) {
          return;
        }
      }
      if (kept == times.length) {
        times = Arrays.copyOf(times, kept * 2);
        values = Arrays.copyOf(values, kept * 2);
      }
      times[kept] = time;
      values[kept++] = value;
    }

    private void thinOut() {
      every *= 2;
      kept /= 2;
      for (int i = 0; i < kept; i++) {
        times[i] = times[2 * i];
        values[i] = values[2 * i];
      }
    }

    /** The last value kept before a time, if there is one. */
    Optional<CounterValue> before(long time) {
      int place = Arrays.binarySearch(times, 0, kept, time);
      int next = place >= 0 ? place : -place - 1;
      while (next > 0 && times[next - 1] >= time) {
        next--;
      }
      return next == 0
          ? Optional.empty()
          : Optional.of(new CounterValue(times[next - 1], values[next - 1], every == 1));
    }
  }

  public CounterRanges() {}

  /** A value was reported; one that is not a number has no place in a range. */
  public void add(int thread, int event, long time, double value) {
    long key = key(thread, event);
    if (Double.isNaN(value) || (ranges.size() == MAX && !ranges.containsKey(key))) {
      return;
    }
    ranges.computeIfAbsent(key, _ -> new Range()).add(time, value);
  }

  private static long key(int thread, int event) {
    return (long) thread << 32 | event;
  }

  /**
   * All of them, by thread, then by event.
   *
   * @param tracks gives a thread's track; -1 = it has none
   */
  public List<CounterRange> list(IntUnaryOperator tracks) {
    List<CounterRange> counters = new ArrayList<>();
    ranges.forEach((key, range) -> {
      int track = tracks.applyAsInt((int) (key >>> 32));
      if (track >= 0) {
        counters.add(new CounterRange(track, key.intValue(), range.count, range.min, range.max));
      }
    });
    return counters;
  }

  /** The last value kept that a thread reported before a time. */
  public Optional<CounterValue> before(int thread, int event, long time) {
    Range range = ranges.get(key(thread, event));
    return range == null ? Optional.empty() : range.before(time);
  }

  void writeTo(Contents contents) {
    contents.next().number(ranges.size());
    ranges.forEach((key, range) -> {
      ByteWriter to = contents.next().number(key).number(range.count).number(range.every);
      to.signed(Double.doubleToRawLongBits(range.min));
      to.signed(Double.doubleToRawLongBits(range.max));
      to.number(range.kept);
      for (int i = 0; i < range.kept; i++) {
        to.signed(range.times[i]).signed(Double.doubleToRawLongBits(range.values[i]));
      }
    });
  }

  void readFrom(Contents.Reader contents) {
    for (long left = contents.next().number(); left > 0; left--) {
      ByteCursor from = contents.next();
      long key = from.number();
      Range range = new Range();
      range.count = from.number();
      range.every = from.number();
      range.min = Double.longBitsToDouble(from.signed());
      range.max = Double.longBitsToDouble(from.signed());
      range.kept = from.count();
      range.times = new long[Math.max(4, range.kept)];
      range.values = new double[range.times.length];
      for (int i = 0; i < range.kept; i++) {
        range.times[i] = from.signed();
        range.values[i] = Double.longBitsToDouble(from.signed());
      }
      ranges.put(key, range);
    }
  }
}
