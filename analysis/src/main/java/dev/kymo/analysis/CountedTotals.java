package dev.kymo.analysis;

import dev.kymo.format.Definition.MethodMode;
import dev.kymo.model.CountedCalls;
import dev.kymo.model.Counts;

/**
 * What was counted of one method; times are nanoseconds. Where calls were timed by sample, the
 * others are taken to be like those that were timed.
 */
final class CountedTotals {
  /** Timed calls, and those they stand for, by {@link Counts#bucketBegin}. */
  private final double[] histogram = new double[Counts.BUCKETS];

  private long calls;
  private double timed;
  private double total;
  private double durations;
  private long max;
  private boolean estimated;
  private boolean unfinished;
  private double others;

  /** Adds what was counted of one thread in one mode. */
  void add(CountedCalls counted) {
    boolean sampled = counted.mode() == MethodMode.SAMPLED;
    double stands = sampled && counted.timed() > 0 ? (double) counted.calls() / counted.timed() : 1;
    calls += counted.calls();
    timed += counted.timed() * stands;
    total += counted.total() * stands;
    durations += counted.durations() * stands;
    max = Math.max(max, counted.max());
    estimated |= sampled;
    unfinished |= !sampled && counted.calls() > counted.timed();
    long[] byDuration = counted.histogram();
    for (int i = 0; i < byDuration.length; i++) {
      histogram[i] += byDuration[i] * stands;
    }
  }

  void merge(CountedTotals other) {
    calls += other.calls;
    timed += other.timed;
    total += other.total;
    durations += other.durations;
    max = Math.max(max, other.max);
    estimated |= other.estimated;
    unfinished |= other.unfinished;
    others += other.others;
    for (int i = 0; i < histogram.length; i++) {
      histogram[i] += other.histogram[i];
    }
  }

  /** So many nanoseconds of the total may be probes of methods that these calls called. */
  void addOthers(double nanos) {
    others += nanos;
  }

  long calls() {
    return calls;
  }

  /** Calls whose time is known, or estimated. */
  double timed() {
    return timed;
  }

  double total() {
    return total;
  }

  double durations() {
    return durations;
  }

  long max() {
    return max;
  }

  /** Whether not every call was timed. */
  boolean estimated() {
    return estimated;
  }

  /** Whether calls that had not ended are missing in the times. */
  boolean unfinished() {
    return unfinished;
  }

  double others() {
    return others;
  }

  double[] histogram() {
    return histogram;
  }
}
