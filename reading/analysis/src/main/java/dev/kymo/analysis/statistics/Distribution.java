package dev.kymo.analysis.statistics;

import dev.kymo.analysis.costs.CountedTotals;
import dev.kymo.analysis.costs.MethodFigures;
import dev.kymo.analysis.costs.MethodTotals;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.model.counts.Counts;
import org.jspecify.annotations.Nullable;

/** How often something happened when, and how long it took. */
final class Distribution {
  final int number;
  final int group;
  private final MethodTotals totals;
  private final int columns;

  /** How many began in columns from {@link #first} on. */
  private long[] begun = {};

  private int first;
  private @Nullable CountedTotals counted;
  private @Nullable PlacedCall longest;
  private long most = Long.MIN_VALUE;
  private long least = Long.MAX_VALUE;
  private long happened;
  private long timed;

  Distribution(int number, int group, int columns) {
    this.number = number;
    this.group = group;
    this.totals = new MethodTotals(number, -1);
    this.columns = columns;
  }

  /**
   * Adds something.
   *
   * @param column in which it began; -1 = before them
   */
  void add(
      int column,
      long from,
      long time,
      boolean nested,
      int track,
      int depth,
      long begin,
      long whole) {
    happened++;
    if (column >= 0) {
      addBegun(column, 1);
    }
    if (time == Walk.NO_TIME) {
      return;
    }
    timed++;
    least = Math.min(least, time);
    totals.add(from, time, time, 0, 0, nested, track, depth);
    if (time >= most) {
      takeLongest(time, new PlacedCall(track, depth, begin, whole));
    }
  }

  /** Most threads live in a part of the time. */
  private void addBegun(int column, long more) {
    int end = first + begun.length;
    if (begun.length == 0) {
      first = column;
      begun = new long[1];
    } else if (column < first || column >= end) {
      int from = Math.min(first, column);
      int to = Math.min(columns, Math.max(end, column + 1 + begun.length / 2));
      long[] wider = new long[to - from];
      System.arraycopy(begun, 0, wider, first - from, begun.length);
      begun = wider;
      first = from;
    }
    begun[column - first] += more;
  }

  private long[] allBegun() {
    long[] all = new long[columns];
    System.arraycopy(begun, 0, all, first, begun.length);
    return all;
  }

  private void takeLongest(long time, PlacedCall call) {
    PlacedCall known = longest;
    if (known == null || time > most || PlacedCall.LONGEST_FIRST.compare(call, known) < 0) {
      most = time;
      longest = call;
    }
  }

  void add(CountedTotals more) {
    CountedTotals known = counted;
    if (known == null) {
      counted = more;
    } else {
      known.merge(more);
    }
  }

  void merge(Distribution other) {
    happened += other.happened;
    timed += other.timed;
    least = Math.min(least, other.least);
    totals.merge(other.totals);
    for (int i = 0; i < other.begun.length; i++) {
      addBegun(other.first + i, other.begun[i]);
    }
    PlacedCall best = other.longest;
    if (best != null && other.most >= most) {
      takeLongest(other.most, best);
    }
  }

  /** Whether nothing happened. */
  boolean isEmpty() {
    return happened == 0 && (counted == null || !counted.isCalled());
  }

  StatisticsRow row(Counts counts, String name, boolean atLeast) {
    MethodFigures figures = new MethodFigures(totals, counted, counts::bucketBegin);
    boolean known = timed > 0 || figures.max() > 0;
    // Messages that were received before they were sent took less than nothing.
    long max = timed > 0 && counted == null ? most : Math.max(most, figures.max());
    return new StatisticsRow(
        number,
        group,
        name,
        happened + figures.countedCalls(),
        figures.countedCalls(),
        allBegun(),
        known,
        figures.total(),
        timed > 0 ? least : 0,
        Math.min(max, figures.percentile(0.5)),
        Math.min(max, figures.percentile(0.9)),
        Math.min(max, figures.percentile(0.99)),
        max,
        longest,
        figures.estimated(),
        atLeast);
  }
}
