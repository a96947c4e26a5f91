package dev.kymo.analysis.search;

import dev.kymo.analysis.selection.CallCollector;
import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.whole.WholeTotals;
import dev.kymo.model.replay.Overview;
import dev.kymo.model.timeline.Timeline;
import java.util.Arrays;
import java.util.BitSet;

/** Calls of some methods over time: how many, and how many begin when. */
public final class Search implements CallCollector<Search> {
  private final BitSet methods;
  private final long width;
  private final long[] marks;
  private long calls;

  private Search(BitSet methods, long width, int buckets) {
    this.methods = methods;
    this.width = width;
    this.marks = new long[buckets];
  }

  public static Search of(
      Timeline timeline, TimelineSelection selection, BitSet methods, Progress progress) {
    long width = timeline.overview().width();
    int buckets = Math.clamp(timeline.duration() / width + 1, 1, Overview.BUCKETS);
    Search none = new Search(methods, width, buckets);
    WholeTotals known = WholeTotals.of(timeline);
    if (known != null && known.marks().isComplete() && known.coversAll(timeline, selection)) {
      known.marks().addTo(methods, none.marks);
      none.calls = Arrays.stream(none.marks).sum();
      return none;
    }
    return methods.isEmpty()
        ? none
        : CallWalk.run(timeline, selection, progress, () -> new Search(methods, width, buckets));
  }

  @Override
  public void track(int track) {}

  @Override
  public void call(int depth, int method, long begin, long end, int flags) {
    if (methods.get(method)) {
      calls++;
      marks[Math.clamp(begin / width, 0, marks.length - 1)]++;
    }
  }

  @Override
  public void merge(Search other) {
    calls += other.calls;
    Arrays.setAll(marks, i -> marks[i] + other.marks[i]);
  }

  public long calls() {
    return calls;
  }

  /** Nanoseconds of a bucket; the first begins at 0. */
  public long width() {
    return width;
  }

  /** Calls that begin in each bucket. */
  public long[] marks() {
    return marks;
  }
}
