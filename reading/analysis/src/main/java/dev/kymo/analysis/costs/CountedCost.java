package dev.kymo.analysis.costs;

import java.util.Arrays;

/**
 * What counted calls cost one thread, as a function of time: where they lay between two readings of
 * their counters is not known, so they are taken to lie evenly. Not safe for use by several
 * threads.
 */
public final class CountedCost {
  private long[] times = new long[4];
  private double[] costs = new double[4];
  private int count;
  private int segment;

  /** Nothing yet. */
  public CountedCost() {}

  /**
   * Adds a time span; each begins where the one before ended, or later.
   *
   * @param cost nanoseconds that counted calls took in it
   */
  void add(long from, long to, double cost) {
    double before = count == 0 ? 0 : costs[count - 1];
    if (count == 0 || times[count - 1] < from) {
      point(from, before);
    }
    point(Math.max(from, to), before + cost);
  }

  private void point(long time, double cost) {
    if (count == times.length) {
      times = Arrays.copyOf(times, count * 2);
      costs = Arrays.copyOf(costs, count * 2);
    }
    times[count] = time;
    costs[count++] = cost;
  }

  /** Nanoseconds that counted calls took between two times. */
  public double between(long from, long to) {
    return upTo(to) - upTo(from);
  }

  /** All of them. */
  double all() {
    return count == 0 ? 0 : costs[count - 1];
  }

  private double upTo(long time) {
    if (count == 0 || time <= times[0]) {
      return 0;
    }
    if (time >= times[count - 1]) {
      return costs[count - 1];
    }
    int at = segment;
    if (times[at] > time || times[at + 1] <= time) {
      at = find(time);
      segment = at;
    }
    double share = (double) (time - times[at]) / (times[at + 1] - times[at]);
    return costs[at] + share * (costs[at + 1] - costs[at]);
  }

  /** The last point that is not later. */
  private int find(long time) {
    int low = 0;
    int high = count - 1;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (times[middle] <= time) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
