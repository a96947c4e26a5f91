package dev.kymo.analysis.costs;

import dev.kymo.analysis.selection.PackedNumbers;
import java.util.Arrays;

/**
 * Many durations, from which percentiles can be asked. A few are kept as they are; more go into a
 * histogram whose buckets are 1/32 of a power of two wide, so that an answer is off by at most 1.6
 * %. It spans the powers of two that were met: most methods take about as long every time.
 */
public class Durations {
  private static final int FEW = 64;
  private static final int BITS = 5;
  private static final int ROW = 1 << BITS;
  private static final int[] NO_BUCKETS = {};

  /** Durations not yet in the histogram: written one after the other, they stay in the cache. */
  private long[] few = new long[2];

  private int fewCount;

  /** Counters do not wrap: they stop at the largest number. */
  private int[] buckets = NO_BUCKETS;

  /** Number of the first bucket. */
  private int first;

  /** None yet. */
  public Durations() {}

  /** Adds one; one below 0 counts as 0. */
  public final void addDuration(long duration) {
    if (fewCount == few.length) {
      makeRoom();
    }
    few[fewCount++] = duration;
  }

  private void makeRoom() {
    if (few.length < FEW) {
      few = Arrays.copyOf(few, Math.min(FEW, few.length * 4));
      return;
    }
    for (long duration : few) {
      addToBucket(Math.max(0, duration));
    }
    fewCount = 0;
  }

  /** Adds those that another one holds. */
  public final void addAll(Durations other) {
    for (int i = 0; i < other.fewCount; i++) {
      addDuration(other.few[i]);
    }
    for (int i = 0; i < other.buckets.length; i++) {
      if (other.buckets[i] > 0) {
        add(other.first + i, other.buckets[i]);
      }
    }
  }

  private void addToBucket(long value) {
    add(bucket(value), 1);
  }

  private void add(int bucket, int count) {
    int at = bucket - first;
    if (at < 0 || at >= buckets.length) {
      at = widen(bucket);
    }
    buckets[at] += count;
    if (buckets[at] < 0) {
      buckets[at] = Integer.MAX_VALUE;
    }
  }

  /** Values below 32 have a bucket each, every power of two from there on has 32. */
  private static int bucket(long value) {
    int shift = Math.max(0, 63 - BITS - Long.numberOfLeadingZeros(value));
    return (shift << BITS) + (int) (value >>> shift);
  }

  /** Makes room for a bucket; returns its index. */
  private int widen(int bucket) {
    int begin = bucket & -ROW;
    int end = begin + ROW;
    if (buckets.length > 0) {
      begin = Math.min(begin, first);
      end = Math.max(end, first + buckets.length);
    }
    int[] wider = new int[end - begin];
    System.arraycopy(buckets, 0, wider, buckets.length == 0 ? 0 : first - begin, buckets.length);
    buckets = wider;
    first = begin;
    return bucket - begin;
  }

  /**
   * The smallest duration that is not exceeded by this share of them; 0 if there are none.
   *
   * @param share 0.99 = the 99th percentile
   */
  public final long percentile(double share) {
    if (buckets.length == 0) {
      long[] sorted = Arrays.copyOf(few, fewCount);
      Arrays.sort(sorted);
      return fewCount == 0 ? 0 : Math.max(0, sorted[(int) rank(share, fewCount) - 1]);
    }
    for (; fewCount > 0; fewCount--) {
      addToBucket(Math.max(0, few[fewCount - 1]));
    }
    long all = 0;
    for (int in : buckets) {
      all += in;
    }
    long rank = rank(share, all);
    long seen = 0;
    int i = -1;
    while (seen < rank) {
      seen += buckets[++i];
    }
    return middle(first + i);
  }

  /** Takes a duration and how many there are of it. */
  public interface Visitor {
    void duration(long duration, double count);
  }

  /** Hands out all durations, in no order. */
  public final void forEachDuration(Visitor visitor) {
    for (int i = 0; i < fewCount; i++) {
      visitor.duration(Math.max(0, few[i]), 1);
    }
    for (int i = 0; i < buckets.length; i++) {
      if (buckets[i] > 0) {
        visitor.duration(middle(first + i), buckets[i]);
      }
    }
  }

  final void writeDurations(PackedNumbers to) {
    to.put(fewCount);
    for (int i = 0; i < fewCount; i++) {
      to.put(Math.max(0, few[i]));
    }
    to.put(buckets.length).put(first);
    for (int in : buckets) {
      to.put(in);
    }
  }

  /** Adds those that were written. */
  final void addFrom(PackedNumbers from) {
    for (int left = from.below(FEW + 1L); left > 0; left--) {
      addDuration(from.next());
    }
    int length = from.below(Long.SIZE * (long) ROW);
    int begin = from.below(Long.SIZE * (long) ROW);
    for (int i = 0; i < length; i++) {
      int in = from.below(1L << 31);
      if (in > 0) {
        add(begin + i, in);
      }
    }
  }

  private static long rank(double share, long of) {
    return Math.max(1, (long) Math.ceil(share * of));
  }

  private static long middle(int bucket) {
    if (bucket < 2 * ROW) {
      return bucket;
    }
    int shift = (bucket >> BITS) - 1;
    long width = 1L << shift;
    return (bucket - ((long) shift << BITS)) * width + width / 2;
  }
}
