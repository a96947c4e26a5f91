package dev.kymo.editing.clocks;

import dev.kymo.model.timeline.Timeline;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * The difference of two recordings' clocks, found by what both hold: moments at which the same
 * threads stopped and went on. It is the difference that the most pairs of moments have, and must
 * have clearly more of them than any other.
 *
 * <p>A wait begins a little before the kernel takes the processor away, and ends a little after the
 * kernel has given it back. So the differences at begins are too small and those at ends too large,
 * or the other way round: the true one lies between, and half of what lies between is the error.
 *
 * @param offset nanoseconds to be added to the second recording's times
 * @param error nanoseconds by which the offset may be wrong
 * @param pairs moments that agree
 */
public record ClockMatch(long offset, long error, int pairs) {
  /** Pairs agree whose differences lie in such a window. */
  private static final long WINDOW = 500_000;

  private static final int MOST_DIFFERENCES = 4_000_000;
  private static final int FEWEST = 8;

  /** Differences of moments of the same threads. */
  private static final class Differences {
    private long[] all = new long[1 << 12];
    private int count;
    private long possible;

    Differences(Map<Integer, long[]> first, Map<Integer, long[]> second) {
      first.forEach((tid, moments) -> add(moments, second.getOrDefault(tid, new long[0])));
      all = Arrays.copyOf(all, count);
      Arrays.sort(all);
    }

    private void add(long[] first, long[] second) {
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

    /** Where the window with the most differences begins, of those outside from and to. */
    private int densest(int from, int to) {
      int best = 0;
      int most = 0;
      int end = 0;
      for (int begin = 0; begin < all.length; begin++) {
        while (end < all.length && all[end] - all[begin] <= WINDOW) {
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

    private int endOf(int begin) {
      int end = begin;
      while (end < all.length && all[end] - all[begin] <= WINDOW) {
        end++;
      }
      return end;
    }

    /** How many differences the best window has that shares nothing with the best one. */
    private int rival(int begin, int end) {
      int second = densest(begin, end);
      boolean outside = second >= end || endOf(second) <= begin;
      return outside ? endOf(second) - second : 0;
    }

    /** The middle one of those that are close to a value; the value itself if there are few. */
    private long middleNear(long value) {
      long[] near = Arrays.stream(all).filter(one -> Math.abs(one - value) <= WINDOW / 2).toArray();
      return near.length < FEWEST ? value : near[near.length / 2];
    }
  }

  /** Finds it; empty if the recordings have nothing in common, or nothing that is clear. */
  public static Optional<ClockMatch> find(Timeline first, Timeline second) {
    return find(Moments.of(first), Moments.of(second));
  }

  static Optional<ClockMatch> find(Moments first, Moments second) {
    Differences ends = new Differences(first.goesOn(), second.goesOn());
    int begin = ends.densest(0, 0);
    int end = ends.endOf(begin);
    int pairs = end - begin;
    boolean clear =
        pairs >= FEWEST && pairs >= 2 * ends.rival(begin, end) && pairs * 4L >= ends.possible;
    if (!clear) {
      return Optional.empty();
    }
    long atEnds = ends.all[begin + pairs / 2];
    long atBegins = new Differences(first.stops(), second.stops()).middleNear(atEnds);
    long spread =
        Math.max(ends.all[begin + pairs * 3 / 4] - atEnds, atEnds - ends.all[begin + pairs / 4]);
    long between = Math.abs(atEnds - atBegins);
    return Optional.of(
        new ClockMatch(atBegins + (atEnds - atBegins) / 2, (between + 1) / 2 + spread, pairs));
  }
}
