package dev.kymo.analysis.difference.match;

import dev.kymo.analysis.difference.paths.NameKeys;
import dev.kymo.analysis.difference.paths.ThreadRole;
import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The call of another recording that stands for a call: of those by the same path on threads of the
 * same role, in the order of their begins, the one with the same number or, if there are fewer, the
 * last. Both recordings' threads of the role are read once, and some of the other's time again; the
 * memory it takes does not depend on how many calls there are.
 *
 * @param role the other recording's threads
 * @param number of the call, counted from 0
 * @param count of the calls by its path in its recording
 * @param otherNumber of the call that stands for it
 * @param otherCount of the calls by the path in the other recording
 * @param other the call that stands for it; empty if there is none
 */
public record CallMatch(
    ThreadRole role,
    long number,
    long count,
    long otherNumber,
    long otherCount,
    Optional<PlacedCall> other) {
  /** The time of a recording is divided by this, until few calls begin in a part. */
  private static final int PARTS = 64;

  private static final int FEW = 1000;

  /**
   * Finds it.
   *
   * @param partner what the threads' role is called in the other recording, as {@link
   *     ThreadRole#text} has it; empty = the same
   */
  public static CallMatch of(
      Timeline timeline, CallDetail call, Timeline other, String partner, Progress progress) {
    CallPath path = CallPath.of(timeline, call, new NameKeys());
    ThreadRole own = ThreadRole.of(timeline, timeline.tracks().get(call.track()));
    PlacedCall place =
        new PlacedCall(call.track(), call.depth(), call.begin(), call.end() - call.begin());
    long[] around =
        walk(
                timeline,
                path,
                new TimelineSelection(0, timeline.duration(), tracks(timeline, own.text())),
                each -> PlacedCall.BY_PLACE.compare(each, place) < 0 ? 0 : 1,
                2,
                false,
                progress)
            .sums();
    String name = partner.isEmpty() ? own.text() : partner;
    List<Integer> tracks = tracks(other, name);
    ThreadRole role =
        tracks.isEmpty() ? own : ThreadRole.of(other, other.tracks().get(tracks.get(0)));
    Search search = new Search(other, path.in(other), tracks, progress);
    Optional<PlacedCall> found = search.find(around[0]);
    return new CallMatch(
        role, around[0], around[0] + around[1], search.number, search.count, found);
  }

  private static List<Integer> tracks(Timeline timeline, String role) {
    List<Integer> tracks = new ArrayList<>();
    for (Track track : timeline.tracks()) {
      if (track.kind() == TrackKind.CALLS && ThreadRole.of(timeline, track).text().equals(role)) {
        tracks.add(track.id());
      }
    }
    return tracks;
  }

  private static PathCalls walk(
      Timeline timeline,
      CallPath path,
      TimelineSelection selection,
      PathCalls.Sums sums,
      int count,
      boolean keep,
      Progress progress) {
    return CallWalk.run(
        timeline, selection, progress, () -> new PathCalls(path.in(timeline), sums, count, keep));
  }

  /** Looks for the call with a number, in ever smaller parts of the time. */
  private static final class Search {
    private final Timeline timeline;
    private final CallPath path;
    private final List<Integer> tracks;
    private final Progress progress;
    private long from;
    private long to;
    private long number;
    private long count;

    Search(Timeline timeline, CallPath path, List<Integer> tracks, Progress progress) {
      this.timeline = timeline;
      this.path = path;
      this.tracks = tracks;
      this.progress = progress;
      this.to = timeline.duration() + 1;
    }

    Optional<PlacedCall> find(long wanted) {
      long[] sums = sums();
      count = Arrays.stream(sums).sum();
      if (count == 0) {
        return Optional.empty();
      }
      number = Math.min(wanted, count - 1);
      long left = number;
      while (true) {
        int part = 0;
        while (left >= sums[part]) {
          left -= sums[part++];
        }
        long width = width();
        long begin = from + part * width;
        from = begin;
        to = Math.min(to, begin + width);
        if (sums[part] <= FEW || to - from <= 1) {
          return Optional.of(kept().get((int) left));
        }
        sums = sums();
      }
    }

    private long width() {
      return Math.max(1, (to - from + PARTS - 1) / PARTS);
    }

    private long[] sums() {
      long first = from;
      long width = width();
      return walk(
              timeline,
              path,
              selection(),
              call -> isIn(call) ? (int) (Math.max(0, call.begin() - first) / width) : -1,
              PARTS,
              false,
              progress)
          .sums();
    }

    private List<PlacedCall> kept() {
      List<PlacedCall> calls =
          new ArrayList<>(
              walk(timeline, path, selection(), c -> isIn(c) ? 0 : -1, 1, true, progress).calls());
      calls.sort(PlacedCall.BY_PLACE);
      return calls;
    }

    private TimelineSelection selection() {
      return new TimelineSelection(from, to - 1, tracks);
    }

    /** What began before the recording is part of its first moment. */
    private boolean isIn(PlacedCall call) {
      return call.begin() < to && (call.begin() >= from || from == 0);
    }
  }
}
