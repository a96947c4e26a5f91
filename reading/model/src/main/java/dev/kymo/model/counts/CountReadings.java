package dev.kymo.model.counts;

import dev.kymo.format.CountRecord;
import dev.kymo.format.CountersLayout;
import dev.kymo.model.definitions.MethodTable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the records of a thread's counters as if counting had begun and ended with a range. */
public final class CountReadings {
  private final MethodTable methods;
  private final int thread;
  private final long from;
  private final long to;
  private final ReadingSink sink;

  private static final int BEFORE = 0;
  private static final int LAST = 1;
  private static final int WRITTEN = 2;

  /** By series, what was counted before the range, at its end, and as far as it is written. */
  private final Map<CountSeries, long[][]> ends = new LinkedHashMap<>();

  public CountReadings(MethodTable methods, int thread, long from, long to, ReadingSink sink) {
    this.methods = methods;
    this.thread = thread;
    this.from = from;
    this.to = to;
    this.sink = sink;
  }

  /** Takes the next reading of a series; see {@link CountLog.Taker}. */
  public void take(CountSeries series, long begin, long end, long[] was, long[] is, boolean all) {
    long[][] values = ends.computeIfAbsent(series, s -> new long[3][CountSeries.NUMBERS]);
    if (!all) {
      ThreadCounts.until(from, begin, end, was, is, values[BEFORE]);
    }
    ThreadCounts.until(to, begin, end, was, is, values[LAST]);
    if (end > from && end < to) {
      write(series, end, values, is);
    }
  }

  /** Writes the last readings, at the range's end. */
  public void finish() {
    ends.forEach((series, values) -> write(series, to, values, values[LAST]));
  }

  private CountRecord.@Nullable Spent spent(CountSeries series, long[] before, long[] now) {
    return series.isTold()
        ? new CountRecord.Spent(
            now[CountSeries.TOTAL] - before[CountSeries.TOTAL],
            now[CountSeries.SELF] - before[CountSeries.SELF],
            now[CountSeries.SQUARES] - before[CountSeries.SQUARES],
            now[CountSeries.INTERVAL],
            now[CountSeries.UNPLACED] - before[CountSeries.UNPLACED],
            Math.max(from, series.since()))
        : null;
  }

  private void write(CountSeries series, long clock, long[][] values, long[] now) {
    long[] before = values[BEFORE];
    long calls = now[CountSeries.CALLS] - before[CountSeries.CALLS];
    long durations = now[CountSeries.DURATIONS] - before[CountSeries.DURATIONS];
    long total = now[CountSeries.TOTAL] - before[CountSeries.TOTAL];
    if ((calls <= 0 && durations <= 0 && total <= 0) || Arrays.equals(now, values[WRITTEN])) {
      return;
    }
    System.arraycopy(now, 0, values[WRITTEN], 0, now.length);
    int[] histogram = new int[CountersLayout.BUCKETS];
    for (int i = 0; i < histogram.length; i++) {
      histogram[i] = (int) (now[CountSeries.HISTOGRAM + i] - before[CountSeries.HISTOGRAM + i]);
    }
    sink.reading(
        clock,
        new CountRecord(
            thread,
            methods.payload(series.method()),
            series.mode(),
            calls,
            now[CountSeries.TIMED] - before[CountSeries.TIMED],
            now[CountSeries.TICKS] - before[CountSeries.TICKS],
            durations,
            now[CountSeries.MAX],
            histogram,
            spent(series, before, now)));
  }
}
