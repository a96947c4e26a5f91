package dev.kymo.analysis.costs;

import dev.kymo.format.Definition.ProbeCost;
import dev.kymo.model.counts.Counts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the events of a method and what was counted of it say together; nanoseconds.
 *
 * @param bucketBegin shortest duration in a bucket of the counted calls' histogram
 */
public record MethodFigures(
    MethodTotals events, @Nullable CountedTotals counted, IntToLongFunction bucketBegin) {
  private record Weighted(long duration, double count) {}

  public long calls() {
    return events.calls + countedCalls();
  }

  public long countedCalls() {
    return counted == null ? 0 : counted.calls();
  }

  public long total() {
    return events.total + countedTotal();
  }

  public long self() {
    long recorded = events.self;
    return counted == null ? recorded : Math.max(0, recorded - counted.below()) + counted.self();
  }

  public SelfTime selfTime() {
    return SelfTime.of(events, self());
  }

  private long countedTotal() {
    return counted == null ? 0 : counted.total();
  }

  public long average() {
    if (counted == null) {
      return events.durations / Math.max(1, events.calls);
    }
    double timed = events.calls + counted.timed();
    double all = events.durations + counted.durations();
    return timed == 0 ? 0 : (long) (all / timed);
  }

  public long max() {
    long longest = Math.max(0, events.max);
    return counted == null ? longest : Math.max(longest, counted.max());
  }

  public long percentile(double share) {
    long duration = counted == null ? events.percentile(share) : percentileOfBoth(counted, share);
    return Math.min(max(), duration);
  }

  private long percentileOfBoth(CountedTotals other, double share) {
    List<Weighted> all = new ArrayList<>();
    events.forEachDuration((duration, count) -> all.add(new Weighted(duration, count)));
    double[] histogram = other.histogram();
    for (int i = 0; i < histogram.length; i++) {
      if (histogram[i] > 0) {
        all.add(new Weighted(middle(i), histogram[i]));
      }
    }
    all.sort(Comparator.comparingLong(Weighted::duration));
    double left = share * all.stream().mapToDouble(Weighted::count).sum();
    long duration = 0;
    for (Weighted one : all) {
      if (left <= 0) {
        break;
      }
      duration = one.duration();
      left -= one.count();
    }
    return duration;
  }

  private long middle(int bucket) {
    long from = bucketBegin.applyAsLong(bucket);
    long to = bucket + 1 < Counts.BUCKETS ? bucketBegin.applyAsLong(bucket + 1) : from;
    return from + (to - from) / 2;
  }

  public boolean estimated() {
    return counted != null && counted.estimated();
  }

  public Optional<CorrectedTimes> corrected(Optional<ProbeCost> cost) {
    return cost.map(known -> CorrectedTimes.of(known, events, counted));
  }
}
