package dev.kymo.analysis.search;

import dev.kymo.analysis.selection.CallCollector;
import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.whole.WholeTotals;
import dev.kymo.model.timeline.Timeline;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the longest call of some methods. */
public final class LongestCallSearch implements CallCollector<LongestCallSearch> {
  private final BitSet methods;
  private int track;
  private @Nullable PlacedCall longest;

  private LongestCallSearch(BitSet methods) {
    this.methods = methods;
  }

  public static Optional<PlacedCall> of(
      Timeline timeline, TimelineSelection selection, BitSet methods, Progress progress) {
    WholeTotals known = WholeTotals.of(timeline);
    if (known != null && known.coversAll(timeline, selection)) {
      return known.longest(methods);
    }
    return Optional.ofNullable(
        CallWalk.run(timeline, selection, progress, () -> new LongestCallSearch(methods)).longest);
  }

  @Override
  public void track(int next) {
    track = next;
  }

  @Override
  public void call(int depth, int method, long begin, long end, int flags) {
    PlacedCall best = longest;
    if (methods.get(method) && (best == null || end - begin >= best.duration())) {
      take(new PlacedCall(track, depth, begin, end - begin));
    }
  }

  private void take(@Nullable PlacedCall call) {
    PlacedCall best = longest;
    if (call != null && (best == null || PlacedCall.LONGEST_FIRST.compare(call, best) < 0)) {
      longest = call;
    }
  }

  @Override
  public void merge(LongestCallSearch other) {
    take(other.longest);
  }
}
