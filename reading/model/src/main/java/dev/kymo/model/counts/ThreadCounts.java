package dev.kymo.model.counts;

import dev.kymo.format.CountRecord;
import dev.kymo.format.CountersLayout;
import dev.kymo.model.definitions.NanoClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers questions about the counts of a recording's threads. */
public final class ThreadCounts implements Counts {
  /** Ticks whose length is asked for to know that of one. */
  private static final int UNIT_SHIFT = 30;

  private final CountLog log;
  private final long base;
  private final Supplier<NanoClock> clocks;
  private final IntFunction<? extends CountedThread> threads;

  /**
   * Counts of threads by their number.
   *
   * @param base first clock of the recording
   */
  public ThreadCounts(
      CountLog log,
      long base,
      Supplier<NanoClock> clocks,
      IntFunction<? extends CountedThread> threads) {
    this.log = log;
    this.base = base;
    this.clocks = clocks;
    this.threads = threads;
  }

  private void read(int track, CountLog.Taker taker) {
    CountedThread thread = threads.apply(track);
    CountLog.Owner owner = CountLog.Owner.of(thread);
    long last = log.last(owner);
    log.read(
        owner,
        base,
        (series, begin, end, was, is) -> {
          long until = end == last ? thread.countedUntil(begin, end) : end;
          taker.take(series, begin, until, was, is);
        });
  }

  /** What one counter has counted until two times. */
  private static final class Sums {
    final long[] from = new long[CountSeries.NUMBERS];
    final long[] to = new long[CountSeries.NUMBERS];

    long of(int number) {
      return to[number] - from[number];
    }
  }

  @Override
  public void between(int track, long from, long to, Consumer<CountedCalls> visitor) {
    NanoClock clock = clocks.get();
    Map<CountSeries, Sums> all = new HashMap<>();
    List<CountSeries> inOrder = new ArrayList<>();
    read(
        track,
        (series, begin, end, was, is) -> {
          @Nullable Sums known = all.get(series);
          if (known == null) {
            known = new Sums();
            all.put(series, known);
            inOrder.add(series);
          }
          long first = clock.nanos(begin);
          long last = clock.nanos(end);
          if (from > 0) {
            until(from, first, last, was, is, known.from);
          }
          until(to, first, last, was, is, known.to);
        });
    for (CountSeries series : inOrder) {
      CountedCalls counted = counted(series, sums(all, series), clock);
      if (counted.calls() > 0
          || counted.timed() > 0
          || counted.durations() > 0
          || sums(all, series).of(CountSeries.TOTAL) > 0) {
        visitor.accept(counted);
      }
    }
  }

  private static Sums sums(Map<CountSeries, Sums> all, CountSeries series) {
    return all.getOrDefault(series, new Sums());
  }

  /** What was counted until a time, by the reading that was the first after it, or the last. */
  static void until(long time, long first, long last, long[] was, long[] is, long[] numbers) {
    if (time >= last) {
      System.arraycopy(is, 0, numbers, 0, numbers.length);
    } else if (time > first) {
      double part = (double) (time - first) / (last - first);
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = was[i] + (long) ((is[i] - was[i]) * part);
      }
      numbers[CountSeries.MAX] = is[CountSeries.MAX];
      numbers[CountSeries.INTERVAL] = is[CountSeries.INTERVAL];
    }
  }

  private static CountedCalls counted(CountSeries series, Sums sums, NanoClock clock) {
    long[] histogram = new long[BUCKETS];
    int longest = -1;
    for (int i = 0; i < BUCKETS; i++) {
      histogram[i] = sums.of(CountSeries.HISTOGRAM + i);
      longest = histogram[i] > 0 ? i : longest;
    }
    long max = sums.to[CountSeries.MAX];
    if (longest < BUCKETS - 1) {
      // No longer than the range's longest bucket says.
      max = longest < 0 ? 0 : Math.min(max, CountersLayout.lowerBound(longest + 1));
    }
    return new CountedCalls(
        series.method(),
        series.mode(),
        sums.of(CountSeries.CALLS),
        sums.of(CountSeries.TIMED),
        clock.duration(sums.of(CountSeries.TICKS)),
        clock.duration(sums.of(CountSeries.DURATIONS)),
        clock.duration(max),
        histogram,
        series.isTold() ? spent(sums, clock) : null);
  }

  private static CountedCalls.Spent spent(Sums sums, NanoClock clock) {
    double unit =
        clock.duration(1L << UNIT_SHIFT)
            / (double) (1L << (UNIT_SHIFT - CountRecord.Spent.SQUARES_SHIFT));
    return new CountedCalls.Spent(
        clock.duration(sums.of(CountSeries.TOTAL)),
        clock.duration(sums.of(CountSeries.SELF)),
        sums.of(CountSeries.SQUARES) * unit * unit,
        clock.duration(sums.to[CountSeries.INTERVAL]),
        sums.of(CountSeries.UNPLACED));
  }

  @Override
  public List<Period> periods(int track, long from, long to) {
    NanoClock clock = clocks.get();
    Map<Long, long[]> byEnd = new TreeMap<>();
    read(
        track,
        (series, begin, end, was, is) -> {
          long calls = is[CountSeries.CALLS] - was[CountSeries.CALLS];
          if (calls > 0) {
            long[] period = byEnd.computeIfAbsent(end, e -> new long[] {begin, 0});
            period[0] = Math.min(period[0], begin);
            period[1] += calls;
          }
        });
    List<Period> periods = new ArrayList<>();
    long before = base;
    for (Map.Entry<Long, long[]> entry : byEnd.entrySet()) {
      long begin = clock.nanos(Math.max(before, entry.getValue()[0]));
      long end = clock.nanos(entry.getKey());
      if (begin <= to && end >= from) {
        periods.add(new Period(begin, end, entry.getValue()[1]));
      }
      before = entry.getKey();
    }
    return periods;
  }

  @Override
  public long calls(int track) {
    return log.calls(CountLog.Owner.of(threads.apply(track)));
  }

  @Override
  public long bucketBegin(int bucket) {
    return clocks.get().duration(CountersLayout.lowerBound(bucket));
  }
}
