package dev.kymo.analysis;

import dev.kymo.model.CallSink;
import dev.kymo.model.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the methods cost in a selection: the same numbers as {@link Summary}. */
public final class SelectionSummary implements CallCollector<SelectionSummary> {
  private final Selection selection;
  private final InsideTimes times = new InsideTimes();
  private final List<MethodCost> costs = new ArrayList<>();
  private @Nullable MethodCost[] byMethod = {};
  private int track;

  private SelectionSummary(Selection selection) {
    this.selection = selection;
  }

  /** One for each method that was called, that with the largest total first. */
  public static List<MethodCost> of(Timeline timeline, Selection selection, Progress progress) {
    SelectionSummary all =
        CallWalk.run(timeline, selection, progress, () -> new SelectionSummary(selection));
    all.costs.sort(
        Comparator.comparingLong((MethodCost cost) -> -cost.total())
            .thenComparingInt(MethodCost::method));
    return all.costs;
  }

  @Override
  public void track(int next) {
    track = next;
    times.clear();
  }

  @Override
  public void call(int depth, int method, long begin, long end, int flags) {
    long inside = selection.inside(begin, end);
    long self = times.self(depth, inside);
    MethodCost cost = method < byMethod.length ? byMethod[method] : null;
    if (cost == null) {
      cost = newCost(method, new PlacedCall(track, depth, begin, end - begin));
    }
    cost.add(inside, self, (flags & CallSink.NESTED) != 0, track, depth, begin, end);
  }

  private MethodCost newCost(int method, PlacedCall first) {
    if (method >= byMethod.length) {
      byMethod = Arrays.copyOf(byMethod, Math.max(method + 1, byMethod.length * 2));
    }
    MethodCost made = new MethodCost(method, first);
    byMethod[method] = made;
    costs.add(made);
    return made;
  }

  @Override
  public void merge(SelectionSummary other) {
    for (MethodCost cost : other.costs) {
      int method = cost.method();
      MethodCost mine = method < byMethod.length ? byMethod[method] : null;
      if (mine == null) {
        mine = newCost(method, cost.longest());
      }
      mine.merge(cost);
    }
  }
}
