package dev.kymo.analysis.summary;

import dev.kymo.analysis.costs.CostCollector;
import dev.kymo.analysis.costs.MethodCost;
import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.whole.WholeTotals;
import dev.kymo.model.timeline.Timeline;
import java.util.List;

/** What the methods cost in a selection: the same numbers as {@link Summary}. */
public final class SelectionSummary {
  private SelectionSummary() {}

  /**
   * One for each method that was called, that with the largest total first. Tracks that show no
   * calls count only if there are no others.
   */
  public static List<MethodCost> of(Timeline timeline, TimelineSelection all, Progress progress) {
    TimelineSelection selection = all.ofCalls(timeline);
    WholeTotals known = WholeTotals.of(timeline);
    if (known == null || !known.coversCalls(timeline, selection)) {
      return CallWalk.run(
              timeline, selection, progress, () -> new CostCollector(timeline, selection))
          .finish();
    }
    CostCollector costs = new CostCollector(timeline, selection);
    known.costs().forEach(costs::add);
    return costs.finish();
  }
}
