package dev.kymo.analysis.whole;

import dev.kymo.analysis.costs.CostCollector;
import dev.kymo.analysis.selection.CallCollector;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Collects what is kept of a whole recording, in one walk. Tracks that show no calls count only for
 * searches, unless there are no others: as in the answers about selections.
 */
final class WholeCollector implements CallCollector<WholeCollector> {
  private final BitSet callTracks = new BitSet();
  final CostCollector summary;
  final PathCollector paths;
  final MethodMarks marks;

  /** The longest call of each method on the other tracks. */
  final Map<Integer, PlacedCall> longest = new HashMap<>();

  private int track;
  private boolean ofCalls;

  WholeCollector(Timeline timeline, TimelineSelection calls, long width, int buckets) {
    calls.tracks().forEach(callTracks::set);
    summary = new CostCollector(timeline, calls);
    paths = new PathCollector(calls, PathCollector.MAX_NODES);
    marks = new MethodMarks(width, buckets);
  }

  @Override
  public void track(int next) {
    track = next;
    ofCalls = callTracks.get(next);
    if (ofCalls) {
      summary.track(next);
      paths.track(next);
    }
  }

  @Override
  public void call(int depth, int method, long begin, long end, int flags) {
    marks.add(method, begin);
    if (ofCalls) {
      summary.call(depth, method, begin, end, flags);
      paths.call(depth, method, begin, end, flags);
    } else {
      longest.merge(method, new PlacedCall(track, depth, begin, end - begin), WholeCollector::more);
    }
  }

  static PlacedCall more(PlacedCall a, PlacedCall b) {
    return PlacedCall.LONGEST_FIRST.compare(a, b) <= 0 ? a : b;
  }

  @Override
  public void merge(WholeCollector other) {
    summary.merge(other.summary);
    paths.merge(other.paths);
    marks.merge(other.marks);
    other.longest.forEach((method, call) -> longest.merge(method, call, WholeCollector::more));
  }
}
