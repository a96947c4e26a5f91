package dev.kymo.analysis.costs;

import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.Definition.ProbeCost;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.counts.CountedCalls;
import dev.kymo.model.counts.Counts;
import dev.kymo.model.counts.Counts.Period;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What was counted of one track; times are nanoseconds.
 *
 * @param track its number in the counts
 * @param cost of its process's probes, if known
 * @param begin of its first event
 * @param end of its last one
 * @param calls recorded as events
 */
public record CountedTrack(
    Counts counts, int track, @Nullable ProbeCost cost, long begin, long end, long calls) {
  private static final double PICOS = 1e-3;

  public static CountedTrack of(Timeline timeline, int track) {
    Track known = timeline.tracks().get(track);
    ProbeCost cost = timeline.probeCost(known.process()).orElse(null);
    return new CountedTrack(
        timeline.counts(), track, cost, known.begin(), known.end(), known.calls());
  }

  public static CountedTrack of(
      Counts counts, ThreadCalls thread, @Nullable ProbeCost cost, NanoClock clock) {
    boolean events = thread.first() >= 0;
    long begin = events ? clock.nanos(thread.first()) : 0;
    long end = events ? clock.nanos(thread.last()) : 0;
    return new CountedTrack(counts, thread.index(), cost, begin, end, thread.counts().calls());
  }

  /** Hands out what was counted in a range, method by method. */
  public void between(long from, long to, BiConsumer<Integer, CountedTotals> visitor) {
    if (counts.calls(track) == 0) {
      return;
    }
    List<CountedCalls> all = new ArrayList<>();
    counts.between(track, from, to, all::add);
    double density = density(from, to, all);
    double time = time(from, to);
    Map<Integer, Double> own = new HashMap<>();
    all.forEach(one -> own.merge(one.method(), cost(one), Double::sum));
    for (CountedCalls one : all) {
      CountedTotals totals = new CountedTotals();
      totals.add(one);
      double others = Math.max(0, density - own.getOrDefault(one.method(), 0.0) / time);
      totals.addOthers(Math.min(1, others) * totals.total());
      visitor.accept(one.method(), totals);
    }
  }

  /** Share of the track's time in a range that all its probes took. */
  private double density(long from, long to, List<CountedCalls> counted) {
    if (cost == null) {
      return 0;
    }
    double nanos = counted.stream().mapToDouble(this::cost).sum();
    double pair = (cost.inside() + (double) cost.outside()) * PICOS;
    return calls * pair / Math.max(1, end - begin) + nanos / time(from, to);
  }

  /** How much of a range the track may have been running. */
  private double time(long from, long to) {
    return Math.max(1, (double) Math.min(last(), to) - Math.max(first(), from));
  }

  /** When its first event was, or its counters can have begun. */
  public long first() {
    List<Period> periods = periods();
    long first = calls == 0 ? Long.MAX_VALUE : begin;
    return periods.isEmpty() ? first : Math.min(first, periods.getFirst().from());
  }

  /** When its last event was, or its counters were read last. */
  public long last() {
    List<Period> periods = periods();
    long last = calls == 0 ? Long.MIN_VALUE : end;
    return periods.isEmpty() ? last : Math.max(last, periods.getLast().to());
  }

  private List<Period> periods() {
    return counts.periods(track, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private double cost(CountedCalls counted) {
    if (cost == null) {
      return 0;
    }
    int each = counted.mode() == MethodMode.TIMED ? cost.timed() : cost.sampled();
    return counted.calls() * PICOS * each;
  }

  /**
   * What the counted calls cost when; nothing if there are none, or their cost is not known. Each
   * costs as much as they do on average.
   *
   * @param unit makes of a time one as the calls have it
   */
  public @Nullable CountedCost costs(long from, long to, LongUnaryOperator unit) {
    if (cost == null || counts.calls(track) == 0) {
      return null;
    }
    double[] sums = new double[2];
    List<Period> periods = counts.periods(track, from, to);
    if (!periods.isEmpty()) {
      counts.between(
          track,
          periods.getFirst().from(),
          periods.getLast().to(),
          one -> {
            sums[0] += one.calls();
            sums[1] += cost(one);
          });
    }
    CountedCost costs = new CountedCost();
    for (Period period : periods) {
      costs.add(
          unit.applyAsLong(period.from()),
          unit.applyAsLong(period.to()),
          sums[1] / Math.max(1, sums[0]) * period.calls());
    }
    return costs;
  }

  /** What the probes of all its calls took, recorded and counted ones. */
  public double probes() {
    if (cost == null) {
      return 0;
    }
    double[] nanos = {calls * PICOS * ((double) cost.inside() + cost.outside())};
    counts.between(track, Long.MIN_VALUE, Long.MAX_VALUE, one -> nanos[0] += cost(one));
    return nanos[0];
  }
}
