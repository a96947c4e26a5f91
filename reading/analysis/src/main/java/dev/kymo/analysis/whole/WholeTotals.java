package dev.kymo.analysis.whole;

import dev.kymo.analysis.costs.MethodCost;
import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.replay.Overview;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Totals that answer questions about a whole recording: the cost of each method, who called whom,
 * and how many calls of what begin when. It is made once, by the same walk that would answer each
 * question, and kept with the recording's index. Safe for use by several threads.
 */
public final class WholeTotals {
  private static final long MOST = Long.MAX_VALUE / 2;

  private final List<Integer> callTracks;
  private final int tracks;
  private final WholeCollector collected;

  WholeTotals(TimelineSelection calls, int tracks, WholeCollector collected) {
    this.callTracks = calls.tracks();
    this.tracks = tracks;
    this.collected = collected;
    collected.paths.roots(); // from now on nothing changes
  }

  /** The totals of a timeline; null until they are made. */
  public static @Nullable WholeTotals of(Timeline timeline) {
    return timeline.growing() ? null : timeline.annex().get(WholeTotals.class);
  }

  /**
   * Takes those that are kept with the recording's index, or makes and keeps them, which takes as
   * long as reading all calls. Questions are answered in the meantime.
   *
   * @throws CancellationException if nobody wants them any more
   */
  public static void prepare(Timeline timeline, Progress progress) {
    if (timeline.growing() || of(timeline) != null) {
      return;
    }
    WholeTotals known = kept(timeline);
    if (known == null) {
      known = make(timeline, progress);
      timeline.annex().keep(WholeTotalsFile.write(timeline, known));
    }
    timeline.annex().put(known);
  }

  /** Those that are kept with the recording's index; null if there are none. */
  public static @Nullable WholeTotals kept(Timeline timeline) {
    byte[] kept = timeline.annex().kept();
    return kept == null ? null : WholeTotalsFile.read(timeline, kept);
  }

  private static WholeTotals make(Timeline timeline, Progress progress) {
    TimelineSelection all = all(timeline);
    return new WholeTotals(
        all.ofCalls(timeline),
        all.tracks().size(),
        CallWalk.run(timeline, all, progress, () -> collector(timeline)));
  }

  static WholeCollector collector(Timeline timeline) {
    long width = timeline.overview().width();
    int buckets = Math.clamp(timeline.duration() / width + 1, 1, Overview.BUCKETS);
    return new WholeCollector(timeline, all(timeline).ofCalls(timeline), width, buckets);
  }

  public static TimelineSelection all(Timeline timeline) {
    return new TimelineSelection(0, MOST, timeline.tracks().stream().map(Track::id).toList());
  }

  /**
   * Whether a selection is of all calls.
   *
   * @param selection without tracks that show none
   */
  public boolean coversCalls(Timeline timeline, TimelineSelection selection) {
    return coversTime(timeline, selection)
        && selection.tracks().size() == callTracks.size()
        && new HashSet<>(callTracks).containsAll(selection.tracks());
  }

  public boolean coversAll(Timeline timeline, TimelineSelection selection) {
    return coversTime(timeline, selection) && selection.tracks().size() == tracks;
  }

  private static boolean coversTime(Timeline timeline, TimelineSelection selection) {
    return selection.from() <= 0 && selection.to() >= timeline.duration();
  }

  /** What each method cost, without what was counted. */
  public List<MethodCost> costs() {
    return collected.summary.costs();
  }

  public PathCollector paths() {
    return collected.paths;
  }

  public MethodMarks marks() {
    return collected.marks;
  }

  /** The longest calls on tracks that show no calls, by method. */
  Map<Integer, PlacedCall> otherLongest() {
    return collected.longest;
  }

  public Optional<PlacedCall> longest(BitSet methods) {
    Stream<PlacedCall> calls =
        costs().stream()
            .filter(cost -> methods.get(cost.method()))
            .flatMap(cost -> cost.longest().stream());
    Stream<PlacedCall> others =
        methods.stream().mapToObj(collected.longest::get).filter(call -> call != null);
    return Stream.concat(calls, others).min(PlacedCall.LONGEST_FIRST);
  }
}
