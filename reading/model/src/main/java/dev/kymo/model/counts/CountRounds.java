package dev.kymo.model.counts;

import java.util.Arrays;

/**
 * Rounds in which the counters of a process were read: those that have grown about once a second,
 * those of a thread that has ended soon after that. Readings close together are one round.
 */
final class CountRounds {
  private final long close;
  private long[] clocks = new long[4];
  private int count;
  private long last;

  /**
   * No rounds yet.
   *
   * @param second ticks of a second
   */
  CountRounds(long second) {
    close = second / 10;
  }

  /** The round of a reading; they come in the order of time. */
  int of(long clock) {
    boolean same = count > 0 && clock - last <= close && clock - clocks[count - 1] <= 5 * close;
    if (!same) {
      if (count == clocks.length) {
        clocks = Arrays.copyOf(clocks, count * 2);
      }
      clocks[count++] = Math.max(clock, last);
    }
    last = Math.max(last, clock);
    return count - 1;
  }

  long clock(int round) {
    return clocks[round];
  }

  /** Clock of the last reading. */
  long last() {
    return last;
  }

  /**
   * Where a period begins that a reading ends. A counter that did not grow was read but not
   * written: growth is younger than the last round in which all were read.
   *
   * @param before round in which this counter was written before; -1 = never
   * @param grain ticks within which all counters were read
   * @param base first clock of the recording
   */
  long begin(int before, int round, long grain, long base) {
    int found = Arrays.binarySearch(clocks, 0, round + 1, clocks[round] - grain);
    int other = found >= 0 ? found : -found - 2;
    long begin = other < 0 ? base : clocks[other];
    return before < 0 ? begin : Math.max(begin, clocks[before]);
  }
}
