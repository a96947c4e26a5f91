package dev.kymo.analysis;

import dev.kymo.model.CallSink;
import dev.kymo.model.Timeline;
import dev.kymo.model.TracedMethod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the methods cost in a selection: the same numbers as {@link Summary}. */
public final class SelectionSummary implements CallCollector<SelectionSummary> {
  private final Timeline timeline;
  private final Selection selection;
  private final CallsBelow below = new CallsBelow();
  private final List<MethodCost> costs = new ArrayList<>();
  private @Nullable MethodCost[] byMethod = {};
  private int track;
  private @Nullable CountedCost counted;
  private @Nullable TimeUses uses;

  SelectionSummary(Timeline timeline, Selection selection) {
    this.timeline = timeline;
    this.selection = selection;
  }

  /**
   * One for each method that was called, that with the largest total first. Tracks that show no
   * calls count only if there are no others.
   */
  public static List<MethodCost> of(Timeline timeline, Selection all, Progress progress) {
    Selection selection = all.ofCalls(timeline);
    SelectionSummary summary = new SelectionSummary(timeline, selection);
    WholeTotals known = WholeTotals.of(timeline);
    if (known != null && known.coversCalls(timeline, selection)) {
      known.costs().forEach(summary::add);
    } else {
      summary =
          CallWalk.run(
              timeline, selection, progress, () -> new SelectionSummary(timeline, selection));
    }
    summary.finish();
    return summary.costs;
  }

  /** Sums of each method that was called, without what was counted. */
  List<MethodCost> costs() {
    return costs;
  }

  private void add(MethodCost known) {
    cost(known.method()).merge(known);
  }

  private void finish() {
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
  }

  @Override
  public void track(int next) {
    track = next;
    below.clear();
    counted = CountedTrack.of(timeline, next).costs(selection.from(), selection.to(), time -> time);
    uses = ToldTimes.of(timeline, timeline.tracks().get(next), selection);
  }

  @Override
  public void call(int depth, int method, long begin, long end, int flags) {
    long from = Math.max(begin, selection.from());
    long to = Math.min(end, selection.to());
    boolean nested = (flags & CallSink.NESTED) != 0;
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

  MethodCost cost(int method) {
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
  public void merge(SelectionSummary other) {
    other.costs.forEach(this::add);
  }
}
