package dev.kymo.analysis.search;

import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.Reach;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.BitSet;

/**
 * Rank of one of the calls and events that were looked for.
 *
 * @param before those from a time on that come before it
 * @param hit whether it is one of them
 */
public record HitRank(long before, boolean hit) {
  /**
   * Counts.
   *
   * @param at of a part of the recording of which it is known how many come before; 0: its begin
   */
  public static HitRank of(
      Timeline timeline,
      TimelineSelection selection,
      BitSet methods,
      long at,
      PlacedCall place,
      Progress progress) {
    Reach reach = new Reach(timeline, selection, 1);
    HitWalk walk = new HitWalk(timeline, selection, methods, progress);
    long from = at == 0 ? reach.first() : at;
    long[] before = {0};
    boolean[] hit = {false};
    for (Track track : reach.tracks(from, place.begin())) {
      walk.between(
          track,
          from,
          place.begin(),
          (id, depth, method, begin, duration) -> {
            int order =
                PlacedCall.BY_PLACE.compare(new PlacedCall(id, depth, begin, duration), place);
            before[0] += order < 0 ? 1 : 0;
            hit[0] |= order == 0;
          });
    }
    return new HitRank(before[0], hit[0]);
  }
}
