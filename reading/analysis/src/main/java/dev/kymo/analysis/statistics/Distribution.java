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
  private final long[] begun;
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
    this.begun = new long[columns];
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
      begun[column]++;
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
    for (int i = 0; i < begun.length; i++) {
      begun[i] += other.begun[i];
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
    MethodFigures figures = new MethodFigures(totals, time -> time, counted, counts::bucketBegin);
    boolean known = timed > 0 || figures.max() > 0;
    return new StatisticsRow(
        number,
        group,
        name,
        happened + figures.countedCalls(),
        figures.countedCalls(),
        begun,
        known,
        figures.total(),
        timed > 0 ? least : 0,
        figures.percentile(0.5),
        figures.percentile(0.9),
        figures.percentile(0.99),
        timed > 0 ? Math.max(most, figures.max()) : figures.max(),
        longest,
        figures.estimated(),
        atLeast);
  }
}
