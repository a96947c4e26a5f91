package dev.kymo.analysis;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one thread did when, as far as it was told, and of each of its calls how much of that lies
 * in the call itself. Not safe for use by several threads.
 */
final class TimeUses {
  /** Of one thread so many begins and ends are kept; what is beyond is not known. */
  private static final int MOST_MARKS = 1 << 21;

  private static final int KIND_SHIFT = 1;
  private static final int TIME_SHIFT = 4;

  private final long origin;

  /** Begins and ends: time since the origin, kind, and 1 for a begin. */
  private long[] marks = {};

  private int count;
  private final Spans[] spans = new Spans[TimeUse.COUNT];

  /** All of them together. */
  private final Spans any = new Spans();

  /** Nothing was told of the time between these two. */
  private long quietFrom;

  private long quietTo;

  /** By depth and kind: what the calls had that came and whose caller has not. */
  private long[] pending = {};

  private final long[] own = new long[TimeUse.COUNT];

  /**
   * Nothing told.
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

  /** Adds what another one was told of, before {@link #finish}. */
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

  /** All was told. */
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
   * A call has come, those that it made before it; adds what its time was used for to the sums of
   * its method.
   *
   * @param from its begin, or that of the selection
   */
  void call(int depth, long from, long to, boolean nested, MethodTotals totals) {
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
          totals.weavingInTotal += inside;
        }
      }
    }
    if (any) {
      totals.addUses(own);
    }
  }
}
