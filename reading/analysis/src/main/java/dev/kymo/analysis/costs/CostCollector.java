package dev.kymo.analysis.costs;

import dev.kymo.analysis.cause.ReportedTimes;
import dev.kymo.analysis.cause.TimeUses;
import dev.kymo.analysis.selection.CallCollector;
import dev.kymo.analysis.selection.LeftOut;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.timeline.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds up what the methods cost in a selection. */
public final class CostCollector implements CallCollector<CostCollector> {
  private final Timeline timeline;
  private final TimelineSelection selection;
  private final CallsBelow below = new CallsBelow();
  private final List<MethodCost> costs = new ArrayList<>();
  private @Nullable MethodCost[] byMethod = {};
  private int track;
  private @Nullable CountedCost counted;
  private @Nullable TimeUses uses;

  public CostCollector(Timeline timeline, TimelineSelection selection) {
    this.timeline = timeline;
    this.selection = selection;
  }

  /** Sums of each method that was called, without what was counted. */
  public List<MethodCost> costs() {
    return costs;
  }

  /** Adds what is known of a method. */
  public void add(MethodCost known) {
    cost(known.method()).merge(known);
  }

  /**
   * All calls have come: adds what was counted.
   *
   * @return one for each method that was called, that with the largest total first
   */
  public List<MethodCost> finish() {
    for (int each : selection.tracks()) {
      CountedTrack.of(timeline, each)
          .between(selection.from(), selection.to(), (method, calls) -> cost(method).add(calls));
    }
    BitSet leftOut = LeftOut.between(timeline.steps(), selection.from(), selection.to());
    for (MethodCost cost : costs) {
      TracedMethod method = timeline.method(cost.method());
      cost.finish(
          timeline.counts(), timeline.probeCost(method.process()), leftOut.get(cost.method()));
    }
    costs.removeIf(MethodCost::isEmpty);
    costs.sort(
        Comparator.comparingLong((MethodCost cost) -> -cost.total())
            .thenComparingInt(MethodCost::method));
    return costs;
  }

  @Override
  public void track(int next) {
    track = next;
    below.clear();
    counted = CountedTrack.of(timeline, next).costs(selection.from(), selection.to(), time -> time);
    uses = ReportedTimes.of(timeline, timeline.tracks().get(next), selection);
  }

  @Override
  public void call(int depth, int method, long begin, long end, int flags) {
    long from = Math.max(begin, selection.from());
    long to = Math.min(end, selection.to());
    boolean nested = (flags & CallCursor.NESTED) != 0;
    MethodCost cost = cost(method);
    below.call(depth, to - from);
    cost.totals()
        .add(
            from,
            to - from,
            to - from - below.time(),
            below.direct(),
            below.calls(),
            nested,
            track,
            depth);
    cost.place(track, depth, begin, end);
    if (uses != null) {
      uses.call(depth, from, to, nested, cost.totals());
    }
    if (counted != null) {
      double inside = counted.between(from, to);
      cost.totals().addCounted(inside, below.ownCost(inside), nested);
    }
  }

  public MethodCost cost(int method) {
    MethodCost known = method < byMethod.length ? byMethod[method] : null;
    return known == null ? newCost(method) : known;
  }

  private MethodCost newCost(int method) {
    if (method >= byMethod.length) {
      byMethod = Arrays.copyOf(byMethod, Math.max(method + 1, byMethod.length * 2));
    }
    MethodCost made = new MethodCost(method);
    byMethod[method] = made;
    costs.add(made);
    return made;
  }

  @Override
  public void merge(CostCollector other) {
    other.costs.forEach(this::add);
  }
}
