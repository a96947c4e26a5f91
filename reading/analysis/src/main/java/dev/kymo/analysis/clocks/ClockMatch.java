package dev.kymo.analysis.clocks;

import dev.kymo.model.timeline.Timeline;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * The difference of two recordings' clocks, found by what both hold: moments at which the same
 * threads went on. It is the difference that the most pairs of moments have, and must have clearly
 * more of them than any other.
 *
 * @param offset nanoseconds to be added to the second recording's times
 * @param error nanoseconds by which the offset may be wrong: half the pairs that agree lie closer
 * @param pairs moments that agree
 */
public record ClockMatch(long offset, long error, int pairs) {
  /**
   * Pairs agree whose differences lie in such a window: a thread goes on that much after a wait.
   */
  private static final long WINDOW = 500_000;

  private static final int MOST_DIFFERENCES = 4_000_000;
  private static final int FEWEST = 8;

  /** Threads that both recordings have, with their moments. */
  private static final class Differences {
    private long[] all = new long[1 << 12];
    private int count;
    private long possible;

    void add(long[] first, long[] second) {
      possible += Math.min(first.length, second.length);
      for (long one : first) {
        for (long other : second) {
          if (count == MOST_DIFFERENCES) {
            return;
          }
          if (count == all.length) {
            all = Arrays.copyOf(all, count * 2);
          }
          all[count++] = one - other;
        }
      }
    }
  }

  /** Finds it; empty if the recordings have nothing in common, or nothing that is clear. */
  public static Optional<ClockMatch> find(Timeline first, Timeline second) {
    return find(Moments.of(first), Moments.of(second));
  }

  static Optional<ClockMatch> find(Map<Integer, long[]> first, Map<Integer, long[]> second) {
    Differences differences = new Differences();
    first.forEach(
        (tid, moments) -> differences.add(moments, second.getOrDefault(tid, new long[0])));
    long[] sorted = Arrays.copyOf(differences.all, differences.count);
    Arrays.sort(sorted);
    int begin = densest(sorted, 0, 0);
    int end = endOf(sorted, begin);
    int pairs = end - begin;
    int rival = rival(sorted, begin, end);
    boolean clear = pairs >= FEWEST && pairs >= 2 * rival && pairs * 4L >= differences.possible;
    if (!clear) {
      return Optional.empty();
    }
    long middle = sorted[begin + pairs / 2];
    long quarter = sorted[begin + pairs / 4];
    long threeQuarters = sorted[begin + pairs * 3 / 4];
    long error = Math.max(1, Math.max(middle - quarter, threeQuarters - middle));
    return Optional.of(new ClockMatch(middle, error, pairs));
  }

  /** Where the window with the most differences begins, of those outside from and to. */
  private static int densest(long[] sorted, int from, int to) {
    int best = 0;
    int most = 0;
    int end = 0;
    for (int begin = 0; begin < sorted.length; begin++) {
      while (end < sorted.length && sorted[end] - sorted[begin] <= WINDOW) {
        end++;
      }
      boolean outside = end <= from || begin >= to;
      if (end - begin > most && outside) {
        most = end - begin;
        best = begin;
      }
    }
    return best;
  }

  private static int endOf(long[] sorted, int begin) {
    int end = begin;
    while (end < sorted.length && sorted[end] - sorted[begin] <= WINDOW) {
      end++;
    }
    return end;
  }

  /** How many differences the best window has that shares nothing with the best one. */
  private static int rival(long[] sorted, int begin, int end) {
    int second = densest(sorted, begin, end);
    boolean outside = second >= end || endOf(sorted, second) <= begin;
    return outside ? endOf(sorted, second) - second : 0;
  }
}
