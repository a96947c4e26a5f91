package dev.kymo.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Which counters each thread told values of, and in what range those were: a picture needs that
 * before it reads any of them. Added to by one thread; others may ask when it does not.
 */
final class Counters {
  /** More are damage, or no counters. */
  private static final int MAX = 1 << 18;

  private final Map<Long, Range> ranges = new TreeMap<>();

  private static final class Range {
    long count;
    long first;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
  }

  /** A value was told; one that is no number is told, but has no place in a range. */
  void add(int thread, int event, long time, double value) {
    long key = (long) thread << 32 | event;
    Range range = ranges.get(key);
    if (range == null) {
      if (ranges.size() == MAX) {
        return;
      }
      range = new Range();
      range.first = time;
      ranges.put(key, range);
    }
    range.count++;
    if (!Double.isNaN(value)) {
      range.min = Math.min(range.min, value);
      range.max = Math.max(range.max, value);
    }
  }

  /**
   * All of them, by thread, then by event.
   *
   * @param tracks gives a thread's track; -1 = it has none
   */
  List<Counter> list(IntUnaryOperator tracks) {
    List<Counter> counters = new ArrayList<>();
    ranges.forEach((key, range) -> {
      int track = tracks.applyAsInt((int) (key >>> 32));
      if (track >= 0 && range.min <= range.max) {
        int event = key.intValue();
        counters.add(new Counter(track, event, range.count, range.first, range.min, range.max));
      }
    });
    return counters;
  }

  void writeTo(Contents contents) {
    contents.next().number(ranges.size());
    ranges.forEach((key, range) -> {
      Bytes to = contents.next().number(key).number(range.count).signed(range.first);
      to.signed(Double.doubleToRawLongBits(range.min));
      to.signed(Double.doubleToRawLongBits(range.max));
    });
  }

  void readFrom(Contents.Reader contents) {
    for (long left = contents.next().number(); left > 0; left--) {
      ByteCursor from = contents.next();
      long key = from.number();
      Range range = new Range();
      range.count = from.number();
      range.first = from.signed();
      range.min = Double.longBitsToDouble(from.signed());
      range.max = Double.longBitsToDouble(from.signed());
      ranges.put(key, range);
    }
  }
}
