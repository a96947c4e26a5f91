package dev.kymo.analysis.whole;

import dev.kymo.analysis.selection.PackedNumbers;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Numbers of calls of each method that begin in each bucket of a recording's overview. Only parts
 * of the time in which a method is called take memory; if they take too much, all are given up.
 */
public final class MethodMarks {
  private static final int PAGE = 16;

  /** Some 20 MB of parts. */
  private static final int MOST_PAGES = 250_000;

  private final long width;
  private final int buckets;

  /** By method, and sixteen buckets each. */
  private int[][][] pages = {};

  private int used;
  private boolean givenUp;

  /**
   * None yet.
   *
   * @param width nanoseconds of a bucket
   */
  MethodMarks(long width, int buckets) {
    this.width = width;
    this.buckets = buckets;
  }

  public int bucket(long time) {
    return (int) Math.clamp(time / width, 0, buckets - 1L);
  }

  void add(int method, long begin) {
    if (!givenUp) {
      add(method, bucket(begin), 1);
    }
  }

  private void add(int method, int bucket, int calls) {
    if (method >= pages.length) {
      pages = Arrays.copyOf(pages, Math.max(method + 1, pages.length * 2));
    }
    if (pages[method] == null) {
      pages[method] = new int[(buckets + PAGE - 1) / PAGE][];
    }
    int[][] ofMethod = pages[method];
    int[] page = ofMethod[bucket / PAGE];
    if (page == null) {
      page = new int[PAGE];
      ofMethod[bucket / PAGE] = page;
      used++;
    }
    page[bucket % PAGE] += calls;
    if (page[bucket % PAGE] < 0 || used > MOST_PAGES) {
      givenUp = true;
      pages = new int[0][][];
    }
  }

  void merge(MethodMarks other) {
    givenUp |= other.givenUp;
    for (int method = 0; method < other.pages.length && !givenUp; method++) {
      int ofMethod = method;
      other.forEach(
          method,
          (bucket, calls) -> {
            if (!givenUp) {
              add(ofMethod, bucket, calls);
            }
          });
    }
  }

  /** Whether the calls of all methods are here. */
  public boolean isComplete() {
    return !givenUp;
  }

  /** Adds to each bucket the calls of some methods. */
  public void addTo(BitSet methods, long[] marks) {
    methods.stream().forEach(method -> forEach(method, (bucket, calls) -> marks[bucket] += calls));
  }

  public long width() {
    return width;
  }

  public int buckets() {
    return buckets;
  }

  @FunctionalInterface
  private interface Taker {
    void take(int bucket, int calls);
  }

  private void forEach(int method, Taker taker) {
    int[][] ofMethod = method < pages.length ? pages[method] : null;
    for (int i = 0; ofMethod != null && i < ofMethod.length; i++) {
      for (int j = 0; ofMethod[i] != null && j < PAGE; j++) {
        if (ofMethod[i][j] != 0) {
          taker.take(i * PAGE + j, ofMethod[i][j]);
        }
      }
    }
  }

  void writeTo(PackedNumbers to) {
    to.put(width).put(buckets).put(givenUp ? 1 : 0).put(pages.length);
    for (int method = 0; method < pages.length; method++) {
      int[] last = {-1};
      forEach(
          method,
          (bucket, calls) -> {
            to.put(bucket - last[0]).put(calls);
            last[0] = bucket;
          });
      to.put(0);
    }
  }

  /** Takes what was written of marks of this width. */
  void readFrom(PackedNumbers from) {
    if (from.next() != width || from.next() != buckets) {
      throw new IllegalStateException("of another recording");
    }
    givenUp = from.next() != 0;
    int methods = from.count();
    for (int method = 0; method < methods; method++) {
      int bucket = -1;
      for (int step = from.below(buckets + 1L); step > 0; step = from.below(buckets + 1L)) {
        bucket += step;
        add(method, bucket, from.below(Integer.MAX_VALUE));
      }
    }
  }
}
