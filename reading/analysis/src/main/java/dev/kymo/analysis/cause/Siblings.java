package dev.kymo.analysis.cause;

import dev.kymo.analysis.selection.CallCollector;
import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * The other calls of a method, on all threads, whose begin and end are known: what is usual. If
 * there are very many, a random sample of them.
 *
 * @param count number of other calls
 * @param looked how many of them were looked at
 * @param explained how many of those have a record of what the kernel did with their thread
 * @param duration median of those looked at, nanoseconds
 * @param split of those explained, the median of each; they need not add up
 */
public record Siblings(
    long count, int looked, int explained, long duration, Optional<CauseSplit> split) {
  /** Calls that are looked at, at most. */
  static final int MOST = 1000;

  /** A part of the recording this large is skipped if no call is in it. */
  private static final int PARTS = 64;

  /** Collects calls of a method, those whose places have the smallest chance. */
  private static final class Collector implements CallCollector<Collector> {
    private static final int UNKNOWN = Slice.OPEN_BEGIN | Slice.OPEN_END;

    private final CallDetail call;
    private final PriorityQueue<PlacedCall> kept =
        new PriorityQueue<>(Comparator.comparingLong(Collector::chance).reversed());
    private long count;
    private int track;

    Collector(CallDetail call) {
      this.call = call;
    }

    private static long chance(PlacedCall place) {
      long seed = place.begin() * 31 + place.track() * 1_000_003L + place.depth();
      long mixed = (seed ^ (seed >>> 31)) * 0x9E3779B97F4A7C15L;
      return (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L;
    }

    @Override
    public void track(int next) {
      track = next;
    }

    @Override
    public void call(int depth, int method, long begin, long end, int flags) {
      boolean same = track == call.track() && depth == call.depth() && begin == call.begin();
      if (method == call.method() && (flags & UNKNOWN) == 0 && !(same && end == call.end())) {
        count++;
        keep(new PlacedCall(track, depth, begin, end - begin));
      }
    }

    private void keep(PlacedCall place) {
      kept.add(place);
      if (kept.size() > MOST) {
        kept.remove();
      }
    }

    @Override
    public void merge(Collector other) {
      count += other.count;
      other.kept.forEach(this::keep);
    }
  }

  /** Reads all calls. */
  static Siblings of(Timeline timeline, CallDetail call, Progress progress) {
    TrackKind kind = timeline.tracks().get(call.track()).kind();
    List<Integer> tracks =
        timeline.tracks().stream().filter(t -> t.kind() == kind).map(Track::id).toList();
    TimelineSelection all = new TimelineSelection(0, Long.MAX_VALUE / 2, tracks);
    Collector found = CallWalk.run(timeline, all, progress, () -> new Collector(call));
    List<PlacedCall> kept = new ArrayList<>(found.kept);
    List<CauseSplit> splits = splits(timeline, kept, progress);
    Optional<CauseSplit> median =
        splits.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new CauseSplit(
                    median(splits, CauseSplit::running),
                    median(splits, CauseSplit::interrupted),
                    median(splits, CauseSplit::runnable),
                    median(splits, CauseSplit::blocked),
                    median(splits, CauseSplit::unknown),
                    median(splits, CauseSplit::faults)));
    return new Siblings(
        found.count, kept.size(), splits.size(), median(kept, PlacedCall::duration), median);
  }

  private static List<CauseSplit> splits(
      Timeline timeline, List<PlacedCall> kept, Progress progress) {
    List<Track> tracks = timeline.tracks();
    Map<Integer, List<PlacedCall>> byTrack = new HashMap<>();
    for (PlacedCall place : kept) {
      Track track = tracks.get(place.track());
      int thread = track.of() >= 0 ? track.of() : track.id();
      int scheduled = CallCause.scheduledOf(tracks, thread);
      byTrack.computeIfAbsent(scheduled, t -> new ArrayList<>()).add(place);
    }
    byTrack.remove(-1);
    List<CauseSplit> splits = new ArrayList<>();
    byTrack.forEach((track, calls) -> add(timeline, track, calls, splits, progress));
    return splits;
  }

  /** Reads pieces of a track: those between calls that lie near to each other in one. */
  private static void add(
      Timeline timeline,
      int track,
      List<PlacedCall> calls,
      List<CauseSplit> splits,
      Progress progress) {
    calls.sort(PlacedCall.BY_PLACE);
    long near = timeline.duration() / PARTS;
    List<PlacedCall> piece = new ArrayList<>();
    long end = Long.MIN_VALUE;
    for (PlacedCall call : calls) {
      if (!piece.isEmpty() && call.begin() > end + near) {
        read(timeline, track, piece, splits, progress);
        piece.clear();
      }
      piece.add(call);
      end = Math.max(end, call.begin() + call.duration());
    }
    read(timeline, track, piece, splits, progress);
  }

  private static void read(
      Timeline timeline,
      int track,
      List<PlacedCall> calls,
      List<CauseSplit> splits,
      Progress progress) {
    long[] times =
        calls.stream()
            .flatMapToLong(c -> LongStream.of(c.begin(), c.begin() + c.duration()))
            .sorted()
            .distinct()
            .toArray();
    SchedulerSums sums = SchedulerSums.of(timeline, track, times, progress);
    calls.forEach(c -> splits.add(sums.between(c.begin(), c.begin() + c.duration())));
  }

  /** As a percentile is: the smallest that half of them do not exceed. */
  private static <T> long median(List<T> all, ToLongFunction<T> value) {
    long[] sorted = all.stream().mapToLong(value).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) / 2];
  }
}
