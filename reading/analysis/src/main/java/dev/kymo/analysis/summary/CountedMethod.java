package dev.kymo.analysis.summary;

import dev.kymo.analysis.costs.CountedTotals;
import dev.kymo.analysis.costs.CountedTrack;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A method's calls that were counted in a selection.
 *
 * @param mode how they were counted; by sample, if part of them was
 * @param self nanoseconds they are known to have spent themselves
 * @param estimated whether not every call was timed
 * @param atLeast whether the time of some calls is not known
 */
public record CountedMethod(
    int method, long calls, int mode, long self, boolean estimated, boolean atLeast) {

  /** Each method of which calls were counted, that with the most calls first. */
  public static List<CountedMethod> of(Timeline timeline, TimelineSelection selection) {
    Map<Integer, Integer> modes = new HashMap<>();
    Map<Integer, CountedTotals> byMethod = new HashMap<>();
    selection.counted(
        timeline, counted -> modes.merge(counted.method(), counted.mode(), Math::max));
    for (int track : selection.tracks()) {
      CountedTrack.of(timeline, track)
          .between(
              selection.from(),
              selection.to(),
              (method, totals) ->
                  byMethod.computeIfAbsent(method, m -> new CountedTotals()).merge(totals));
    }
    return byMethod.entrySet().stream()
        .filter(entry -> entry.getValue().calls() > 0)
        .map(entry -> of(entry.getKey(), modes.getOrDefault(entry.getKey(), 0), entry.getValue()))
        .sorted(
            Comparator.comparingLong(CountedMethod::calls)
                .reversed()
                .thenComparingInt(CountedMethod::method))
        .toList();
  }

  private static CountedMethod of(int method, int mode, CountedTotals totals) {
    boolean atLeast = totals.untold() || totals.unfinished();
    return new CountedMethod(
        method, totals.calls(), mode, totals.self(), totals.estimated(), atLeast);
  }
}
