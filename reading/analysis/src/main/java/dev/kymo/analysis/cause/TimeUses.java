package dev.kymo.analysis.cause;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one thread did when, as far as it was reported, and how much of that lies in each of its
 * calls itself. Not safe for use by several threads.
 */
public final class TimeUses {
  /** Begins and ends that are kept of one thread, at most; the rest is unknown. */
  private static final int MOST_MARKS = 1 << 21;

  /** Sums over the calls of a method. */
  public interface Sums {
    /** Probes were put into classes for so long, within the total time. */
    void addWeaving(long time);

    /** The self time was used for this, by {@link TimeUse}. */
    void addUses(long[] more);
  }

  private static final int KIND_SHIFT = 1;
  private static final int TIME_SHIFT = 4;

  private final long origin;

  /** Begins and ends: time since the origin, kind, and 1 for a begin. */
  private long[] marks = {};

  private int count;
  private final Spans[] spans = new Spans[TimeUse.COUNT];

  /** All spans together. */
  private final Spans any = new Spans();

  /** Nothing was reported for the time between these two. */
  private long quietFrom;

  private long quietTo;

  /** By depth and kind: uses of the calls that have come, until their caller comes. */
  private long[] pending = {};

  private final long[] own = new long[TimeUse.COUNT];

  /**
   * Nothing reported.
   *
   * @param origin no time is earlier
   */
  TimeUses(long origin) {
    this.origin = origin;
    Arrays.setAll(spans, kind -> new Spans());
  }

  /** The thread did something. */
  void add(int use, long begin, long end) {
    if (end <= begin || count + 2 > MOST_MARKS) {
      return;
    }
    if (count + 2 > marks.length) {
      marks = Arrays.copyOf(marks, Math.max(64, marks.length * 2));
    }
    int kind = use << KIND_SHIFT;
    marks[count++] = ((begin - origin) << TIME_SHIFT) | kind | 1;
    marks[count++] = ((end - origin) << TIME_SHIFT) | kind;
  }

  /** Adds the reports of another one, before {@link #finish}. */
  void add(@Nullable TimeUses other) {
    if (other == null) {
      return;
    }
    int more = Math.min(other.count, MOST_MARKS - count) & ~1;
    marks = Arrays.copyOf(marks, Math.max(marks.length, count + more));
    System.arraycopy(other.marks, 0, marks, count, more);
    count += more;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Everything was reported. */
  TimeUses finish() {
    Arrays.sort(marks, 0, count);
    int[] open = new int[TimeUse.COUNT];
    long since = 0;
    for (int i = 0; i < count; i++) {
      long time = marks[i] >> TIME_SHIFT;
      int first = first(open);
      if (first >= 0 && time > since) {
        spans[first].add(since, time);
        any.add(since, time);
      }
      since = time;
      int kind = (int) (marks[i] >> KIND_SHIFT) & 7;
      open[kind] += (marks[i] & 1) == 0 ? -1 : 1;
    }
    marks = new long[0];
    return this;
  }

  private static int first(int[] open) {
    for (int kind = 0; kind < open.length; kind++) {
      if (open[kind] > 0) {
        return kind;
      }
    }
    return -1;
  }

  /**
   * A call has come, after the calls that it made; adds what its time was used for to the sums of
   * its method.
   *
   * @param from its begin, or that of the selection
   */
  public void call(int depth, long from, long to, boolean nested, Sums sums) {
    if (from - origin >= quietFrom && to - origin <= quietTo) {
      return; // most calls are short, and so were those that it made
    }
    quietFrom = any.gapBegin(to - origin);
    quietTo = any.gapEnd(to - origin);
    int needed = (depth + 2) * TimeUse.COUNT;
    if (pending.length < needed) {
      pending = Arrays.copyOf(pending, needed * 2);
    }
    boolean any = false;
    for (int kind = 0; kind < TimeUse.COUNT; kind++) {
      long inside = spans[kind].between(from - origin, to - origin);
      int below = (depth + 1) * TimeUse.COUNT + kind;
      own[kind] = inside - pending[below];
      pending[below] = 0;
      if (inside != 0) {
        pending[depth * TimeUse.COUNT + kind] += inside;
        any = true;
        if (kind == TimeUse.WEAVING && !nested) {
          sums.addWeaving(inside);
        }
      }
    }
    if (any) {
      sums.addUses(own);
    }
  }
}
