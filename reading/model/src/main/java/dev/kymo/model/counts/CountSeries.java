package dev.kymo.model.counts;

import dev.kymo.format.CountRecord;
import dev.kymo.format.CountersLayout;
import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;
import java.util.Arrays;

/**
 * The readings of one counter: of a thread, method and mode. Kept as bytes, because there may be
 * very many; as whole numbers, not differences, because the last one answers most questions.
 *
 * <pre>
 *   a reading: round - that of the one before · calls · timed · ticks · durations · longest
 *              total · self · squares · interval · unplaced (see {@link CountRecord.Spent})
 *              buckets that are not empty, for each: bucket · calls
 * </pre>
 */
public final class CountSeries {
  static final int CALLS = 0;
  static final int TIMED = 1;
  static final int TICKS = 2;
  static final int DURATIONS = 3;
  static final int MAX = 4;
  static final int TOTAL = 5;
  static final int SELF = 6;
  static final int SQUARES = 7;
  static final int INTERVAL = 8;
  static final int UNPLACED = 9;
  static final int HISTOGRAM = 10;

  /** Numbers of a reading. */
  static final int NUMBERS = HISTOGRAM + CountersLayout.BUCKETS;

  private final int method;
  private final int mode;

  /** Clock at which nothing was counted yet; the smallest number = not known. */
  private final long since;

  private byte[] data = {};
  private int size;
  private int lastRound;
  private long lastCalls;

  CountSeries(int method, int mode, long since) {
    this.method = method;
    this.mode = mode;
    this.since = since;
  }

  /** Number in the recording. */
  public int method() {
    return method;
  }

  public int mode() {
    return mode;
  }

  long since() {
    return since;
  }

  /** Whether the use of time is known. */
  boolean isTold() {
    return since != Long.MIN_VALUE;
  }

  /** Calls at the last reading. */
  long calls() {
    return lastCalls;
  }

  /** Appends a reading; returns by how many bytes this grew. */
  int add(int round, CountRecord count, ByteWriter scratch) {
    long[] numbers = new long[NUMBERS];
    numbers[CALLS] = count.calls();
    numbers[TIMED] = count.timed();
    numbers[TICKS] = count.ticks();
    numbers[DURATIONS] = count.durations();
    numbers[MAX] = Math.max(0, count.max());
    CountRecord.Spent spent = count.spent();
    if (spent != null) {
      numbers[TOTAL] = spent.total();
      numbers[SELF] = spent.self();
      numbers[SQUARES] = Math.max(0, spent.squares());
      numbers[INTERVAL] = Math.max(0, spent.interval());
      numbers[UNPLACED] = Math.max(0, spent.unplaced());
    }
    for (int i = 0; i < CountersLayout.BUCKETS; i++) {
      numbers[HISTOGRAM + i] = count.histogram()[i] & 0xFFFFFFFFL;
    }
    return add(round, numbers, scratch);
  }

  private int add(int round, long[] numbers, ByteWriter scratch) {
    scratch.clear();
    scratch.number(round - lastRound);
    int buckets = 0;
    for (int i = 0; i < NUMBERS; i++) {
      if (i < HISTOGRAM) {
        scratch.number(numbers[i]);
      } else if (numbers[i] != 0) {
        buckets++;
      }
    }
    scratch.number(buckets);
    for (int i = HISTOGRAM; i < NUMBERS; i++) {
      if (numbers[i] != 0) {
        scratch.number(i - HISTOGRAM).number(numbers[i]);
      }
    }
    lastRound = round;
    lastCalls = numbers[CALLS];
    int needed = size + scratch.size;
    if (needed > data.length) {
      data = Arrays.copyOf(data, size == 0 ? needed : Math.max(needed, size + size / 2));
    }
    System.arraycopy(scratch.data, 0, data, size, scratch.size);
    size = needed;
    return scratch.size;
  }

  int bytes() {
    return size;
  }

  /** Takes the readings one after the other. */
  @FunctionalInterface
  interface Taker {
    /**
     * A reading; the arrays are used again.
     *
     * @param before round of the reading before; -1 = this is the first
     * @param was numbers of the reading before, or zeroes
     */
    void take(int before, int round, long[] was, long[] is);
  }

  /** Hands out all readings, as numbers that never become less. */
  void read(Taker taker) {
    ByteCursor from = new ByteCursor(data, size);
    long[] was = new long[NUMBERS];
    long[] is = new long[NUMBERS];
    int before = -1;
    int round = 0;
    while (!from.atEnd()) {
      round += (int) from.number();
      for (int i = 0; i < HISTOGRAM; i++) {
        is[i] = Math.max(is[i], from.number());
      }
      int buckets = (int) from.number();
      for (int i = 0; i < buckets; i++) {
        int bucket = HISTOGRAM + (int) from.number();
        is[bucket] = Math.max(is[bucket], from.number());
      }
      taker.take(before, round, was, is);
      System.arraycopy(is, 0, was, 0, NUMBERS);
      before = round;
    }
  }

  /** Of readings that are close together, keeps the last. */
  void thin(CountRounds rounds, long grain, ByteWriter scratch) {
    CountSeries kept = new CountSeries(method, mode, since);
    long[] last = new long[NUMBERS];
    int[] lastOf = {-1};
    long[] begin = {Long.MIN_VALUE / 2};
    read((before, round, was, is) -> {
      if (lastOf[0] >= 0 && rounds.clock(round) - begin[0] >= grain) {
        kept.add(lastOf[0], last, scratch);
        begin[0] = rounds.clock(lastOf[0]);
      }
      System.arraycopy(is, 0, last, 0, NUMBERS);
      lastOf[0] = round;
    });
    if (lastOf[0] >= 0) {
      kept.add(lastOf[0], last, scratch);
    }
    data = Arrays.copyOf(kept.data, kept.size);
    size = kept.size;
  }
}
