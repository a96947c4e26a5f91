package dev.kymo.analysis.summary;

import dev.kymo.analysis.selection.CallCollector;
import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * How long the calls of one method took, with their whole durations: four buckets a power of two,
 * and the longest calls.
 */
public final class DurationHistogram implements CallCollector<DurationHistogram> {
  /** The longest calls that are kept. */
  public static final int OUTLIERS = 100;

  private static final int BITS = 2;

  private final int wanted;
  private final long[] counts = new long[(Long.SIZE - BITS) << BITS];
  private final PriorityQueue<PlacedCall> outliers =
      new PriorityQueue<>(PlacedCall.LONGEST_FIRST.reversed());
  private int track;
  private long counted;

  private DurationHistogram(int method) {
    this.wanted = method;
  }

  /** Goes through the calls of a selection. */
  public static DurationHistogram of(
      Timeline timeline, TimelineSelection selection, int method, Progress progress) {
    DurationHistogram all =
        CallWalk.run(timeline, selection, progress, () -> new DurationHistogram(method));
    selection.counted(
        timeline, calls -> all.counted += calls.method() == method ? calls.calls() : 0);
    return all;
  }

  @Override
  public void track(int next) {
    track = next;
  }

  @Override
  public void call(int depth, int method, long begin, long end, int flags) {
    if (method == wanted) {
      long duration = Math.max(0, end - begin);
      counts[bucket(duration)]++;
      if (outliers.size() < OUTLIERS || duration >= outliers.element().duration()) {
        keep(new PlacedCall(track, depth, begin, duration));
      }
    }
  }

  private void keep(PlacedCall call) {
    outliers.add(call);
    if (outliers.size() > OUTLIERS) {
      outliers.remove();
    }
  }

  @Override
  public void merge(DurationHistogram other) {
    Arrays.setAll(counts, i -> counts[i] + other.counts[i]);
    other.outliers.forEach(this::keep);
  }

  /** Durations below 8 have a bucket each, every power of two from there on has 4. */
  static int bucket(long duration) {
    int shift = Math.max(0, 63 - BITS - Long.numberOfLeadingZeros(duration));
    return (shift << BITS) + (int) (duration >>> shift);
  }

  static long bound(int bucket) {
    int shift = Math.max(0, (bucket >> BITS) - 1);
    long bound = (long) (bucket - (shift << BITS)) << shift;
    return bound < 0 ? Long.MAX_VALUE : bound;
  }

  /** Recorded calls of the method. */
  public long calls() {
    return Arrays.stream(counts).sum();
  }

  /** Calls of the method that were only counted: they are in no bucket. */
  public long counted() {
    return counted;
  }

  /** Calls in each bucket, without empty ones at the ends. */
  public long[] counts() {
    return Arrays.copyOfRange(counts, first(), end());
  }

  /** Where the buckets begin, and where the last one ends; nothing if there are none. */
  public long[] bounds() {
    long[] bounds = new long[first() == end() ? 0 : end() - first() + 1];
    Arrays.setAll(bounds, i -> bound(first() + i));
    return bounds;
  }

  private int first() {
    int i = 0;
    while (i < counts.length && counts[i] == 0) {
      i++;
    }
    return i;
  }

  private int end() {
    int i = counts.length;
    while (i > first() && counts[i - 1] == 0) {
      i--;
    }
    return i;
  }

  /** The longest calls, longest first. */
  public List<PlacedCall> outliers() {
    return outliers.stream().sorted(PlacedCall.LONGEST_FIRST).toList();
  }
}
