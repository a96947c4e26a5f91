package dev.kymo.analysis.cause;

import java.util.Arrays;

/** Spans of time that do not overlap, in their order. Not safe for use by several threads. */
final class Spans {
  private long[] begins = {};
  private long[] ends = {};

  /** By span: how long those before it are, together. */
  private long[] before = {};

  private int count;

  /** The spans that the last two questions met. */
  private int lastFrom;

  private int lastTo;

  /** Adds a span; it begins where the one before ended, or later. */
  void add(long begin, long end) {
    if (count > 0 && ends[count - 1] == begin) {
      ends[count - 1] = end;
      return;
    }
    if (count == begins.length) {
      int size = Math.max(8, count * 2);
      begins = Arrays.copyOf(begins, size);
      ends = Arrays.copyOf(ends, size);
      before = Arrays.copyOf(before, size);
    }
    before[count] = count == 0 ? 0 : before[count - 1] + ends[count - 1] - begins[count - 1];
    begins[count] = begin;
    ends[count++] = end;
  }

  /** How much of a time lies in spans. */
  long between(long from, long to) {
    lastFrom = find(from, lastFrom);
    lastTo = find(to, lastTo);
    return upTo(to, lastTo) - upTo(from, lastFrom);
  }

  /** Begin of the gap that a time is in; the largest number if it is in a span. */
  long gapBegin(long time) {
    lastTo = find(time, lastTo);
    long end = lastTo < 0 ? Long.MIN_VALUE : ends[lastTo];
    return end > time ? Long.MAX_VALUE : end;
  }

  /** End of the gap that a time is in. */
  long gapEnd(long time) {
    lastTo = find(time, lastTo);
    return lastTo + 1 < count ? begins[lastTo + 1] : Long.MAX_VALUE;
  }

  private long upTo(long time, int span) {
    return span < 0 ? 0 : before[span] + Math.min(time, ends[span]) - begins[span];
  }

  /** The last span that begins no later; -1 = none. */
  private int find(long time, int hint) {
    if (count == 0) {
      return -1;
    }
    boolean known =
        (hint < 0 || begins[hint] <= time) && (hint + 1 >= count || begins[hint + 1] > time);
    if (known) {
      return hint;
    }
    int found = Arrays.binarySearch(begins, 0, count, time);
    return found >= 0 ? found : -found - 2;
  }
}
