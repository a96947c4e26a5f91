package dev.kymo.analysis.costs;

import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.Definition.ProbeCost;
import dev.kymo.model.counts.CountedCalls;
import dev.kymo.model.counts.CountedCalls.Spent;
import dev.kymo.model.counts.Counts;
import org.jspecify.annotations.Nullable;

/**
 * What was counted of one method; times are nanoseconds. Total and self are known from looking
 * where the thread was ({@link Spent}); only how long single calls took is known from those that
 * were timed, which the others are taken to be like.
 */
public final class CountedTotals {
  private static final double PICOS = 1e-3;

  /** Timed calls, and those they stand for, by {@link Counts#bucketBegin}. */
  private final double[] histogram = new double[Counts.BUCKETS];

  private long calls;
  private double timed;
  private long total;
  private long self;
  private double durations;
  private long max;
  private boolean estimated;
  private boolean unfinished;
  private boolean untold;
  private double others;

  /** Time of counted calls that the method's recorded calls made. */
  private long below;

  /** What looks may have added too much or too little; see {@link Spent}. */
  private double squares;

  private long interval;

  /** Calls whose probes had a part inside the time that is theirs. */
  private long timedInside;

  private long sampledInside;

  /** Nothing yet. */
  public CountedTotals() {}

  /** Adds what was counted of one thread in one mode. */
  void add(CountedCalls counted) {
    Spent spent = counted.spent();
    if (spent != null) {
      squares += spent.squares();
      interval = Math.max(interval, spent.interval());
    }
    if (counted.mode() == MethodMode.EVENTS) {
      below += spent == null ? 0 : spent.total();
      return;
    }
    boolean sampled = counted.mode() == MethodMode.SAMPLED;
    calls += counted.calls();
    estimated |= sampled;
    unfinished |= !sampled && counted.calls() > counted.timed();
    addDurations(counted, sampled);
    if (sampled) {
      addSampled(counted.calls(), spent);
    } else {
      addTimed(counted, spent);
    }
  }

  private void addDurations(CountedCalls counted, boolean sampled) {
    double stands = sampled && counted.timed() > 0 ? (double) counted.calls() / counted.timed() : 1;
    timed += counted.timed() * stands;
    durations += counted.durations() * stands;
    max = Math.max(max, counted.max());
    long[] byDuration = counted.histogram();
    for (int i = 0; i < byDuration.length; i++) {
      histogram[i] += byDuration[i] * stands;
    }
  }

  /** Where nobody looked, the time of calls that were not timed is not known. */
  private void addSampled(long begun, @Nullable Spent spent) {
    long known = spent == null ? 0 : Math.max(0, begun - spent.unplaced());
    untold |= known < begun;
    sampledInside += known;
    if (spent != null) {
      total += spent.total();
      self += Math.min(spent.self(), spent.total());
    }
  }

  /**
   * The sum of the timed calls is exact, unless some of them lay in calls of the method that were
   * recorded, or counted by sample: then it is more than the looks found.
   */
  private void addTimed(CountedCalls counted, @Nullable Spent spent) {
    timedInside += counted.timed();
    if (spent == null) {
      total += counted.total();
      self += counted.total();
      return;
    }
    long bound = error(spent.squares(), spent.interval());
    long known = Math.min(counted.total(), spent.total() + bound);
    estimated |= known < counted.total();
    untold |= spent.unplaced() > 0;
    total += known;
    self += Math.min(spent.self(), known);
  }

  public void merge(CountedTotals other) {
    calls += other.calls;
    timed += other.timed;
    total += other.total;
    self += other.self;
    durations += other.durations;
    max = Math.max(max, other.max);
    estimated |= other.estimated;
    unfinished |= other.unfinished;
    untold |= other.untold;
    others += other.others;
    below += other.below;
    squares += other.squares;
    interval = Math.max(interval, other.interval);
    timedInside += other.timedInside;
    sampledInside += other.sampledInside;
    for (int i = 0; i < histogram.length; i++) {
      histogram[i] += other.histogram[i];
    }
  }

  /** So many nanoseconds of the total may be probes of methods that these calls called. */
  void addOthers(double nanos) {
    others += nanos;
  }

  public long calls() {
    return calls;
  }

  /** Whether there is more than the time of calls that recorded ones made. */
  public boolean isCalled() {
    return calls > 0 || timed > 0 || total > 0;
  }

  /** Calls whose duration is known, or estimated. */
  double timed() {
    return timed;
  }

  long total() {
    return total;
  }

  /** Of the total, what was spent in no other method that is counted or recorded. */
  public long self() {
    return self;
  }

  /** Time of counted calls that the method's recorded calls made, and which is not their own. */
  long below() {
    return below;
  }

  /**
   * Total, self and {@link #below} are within so much of the truth, in 95 of 100 cases: looks at
   * random find a method as often as rare events come, and one that was never found may have run
   * for three times as long as they are apart.
   */
  public long error() {
    return error(squares, interval);
  }

  private static long error(double squares, long interval) {
    return (long) (2 * Math.sqrt(squares + (double) interval * interval)) + interval;
  }

  /** What the calls' own probes took of the total. */
  double probesInside(ProbeCost cost) {
    return timedInside * PICOS * cost.inside() + sampledProbes(cost);
  }

  /** Of that, what may as well have been outside: where in a probe a look finds it is not known. */
  double sampledProbes(ProbeCost cost) {
    return sampledInside * PICOS * cost.sampled() / 2;
  }

  double durations() {
    return durations;
  }

  long max() {
    return max;
  }

  /** Whether not every call was timed. */
  public boolean estimated() {
    return estimated;
  }

  /** Whether calls that had not ended are missing in the times. */
  public boolean unfinished() {
    return unfinished;
  }

  /** Whether the times of some calls are missing because nobody looked at their threads. */
  public boolean untold() {
    return untold;
  }

  double others() {
    return others;
  }

  double[] histogram() {
    return histogram;
  }
}
