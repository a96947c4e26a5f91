package dev.kymo.analysis;

import dev.kymo.model.NanoClock;
import dev.kymo.model.ThreadCalls;
import java.util.Arrays;

/** Adds up what lies within a time range. */
final class RangeTotals extends CallTotals {
  private final long from;
  private final long to;

  /**
   * By thread and depth: time within the range of the calls that ended and whose caller has not.
   */
  private long[][] childTimes = {};

  RangeTotals(SummaryQuery query, NanoClock clock) {
    super(query.perThread());
    from = clock.ticks(query.from());
    to = clock.ticks(query.to());
  }

  @Override
  public void call(
      ThreadCalls thread,
      int depth,
      int method,
      long begin,
      long end,
      long childTime,
      long children,
      int flags) {
    if (end < from || begin > to) {
      return;
    }
    long time = Math.min(end, to) - Math.max(begin, from);
    long[] inside = childTimes(thread.index(), depth + 2);
    totals(thread, method).add(time, time - inside[depth + 1], (flags & NESTED) != 0);
    inside[depth + 1] = 0;
    inside[depth] += time;
  }

  private long[] childTimes(int thread, int depths) {
    if (thread >= childTimes.length) {
      int count = childTimes.length;
      childTimes = Arrays.copyOf(childTimes, Math.max(thread + 1, count * 2));
      Arrays.fill(childTimes, count, childTimes.length, new long[0]);
    }
    if (childTimes[thread].length < depths) {
      childTimes[thread] = Arrays.copyOf(childTimes[thread], depths * 2);
    }
    return childTimes[thread];
  }
}
