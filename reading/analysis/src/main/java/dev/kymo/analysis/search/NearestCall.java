package dev.kymo.analysis.search;

import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.Reach;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the call of some methods that begins next after, or last before, another one. */
public final class NearestCall {
  private static final int FIRST_EVENTS = 5000;

  /** A place before, or after, all calls that begin at its time. */
  private static final int NO_TRACK_BEFORE = -1;

  private static final int NO_TRACK_BEHIND = Integer.MAX_VALUE;

  private final Timeline timeline;
  private final TimelineSelection selection;
  private final BitSet methods;
  private final Progress progress;
  private final PlacedCall place;
  private final Reach reach;
  private final MarkedTime marked;
  private @Nullable PlacedCall best;

  private NearestCall(
      Timeline timeline,
      TimelineSelection selection,
      BitSet methods,
      PlacedCall place,
      Progress progress) {
    this.timeline = timeline;
    this.selection = selection;
    this.methods = methods;
    this.place = place;
    this.progress = progress;
    this.reach = new Reach(timeline, selection, FIRST_EVENTS);
    this.marked = new MarkedTime(timeline, methods);
  }

  /** The call that begins at a time at this track and depth. */
  public static PlacedCall at(int track, int depth, long time) {
    return new PlacedCall(track, depth, time, 0);
  }

  /** All calls that begin at a time: what is searched from here begins after, or before. */
  public static PlacedCall at(long time, boolean next) {
    return new PlacedCall(next ? NO_TRACK_BEHIND : NO_TRACK_BEFORE, 0, time, 0);
  }

  /** The nearest one after a place. */
  public static Optional<PlacedCall> next(
      Timeline timeline,
      TimelineSelection selection,
      BitSet methods,
      PlacedCall place,
      Progress progress) {
    return new NearestCall(timeline, selection, methods, place, progress).forward();
  }

  /** The nearest one before a place. */
  public static Optional<PlacedCall> previous(
      Timeline timeline,
      TimelineSelection selection,
      BitSet methods,
      PlacedCall place,
      Progress progress) {
    return new NearestCall(timeline, selection, methods, place, progress).backward();
  }

  private Optional<PlacedCall> forward() {
    long end = Math.min(reach.last(), selection.to());
    long begin = Math.max(place.begin(), reach.first());
    long from = marked.atOrAfter(begin);
    progress.expect(end - begin);
    while (best == null && from <= end) {
      long to = Math.min(reach.endOfPiece(from, end), marked.partEnd(from));
      for (Track track : reach.tracks(from, to)) {
        PlacedCall found = best;
        read(track.id(), from, found == null ? to : found.begin(), true);
      }
      long next = marked.atOrAfter(to + 1);
      progress.add(Math.min(next, end) - from);
      from = next;
      reach.grow();
    }
    return Optional.ofNullable(best);
  }

  private Optional<PlacedCall> backward() {
    long end = Math.min(place.begin(), Math.min(reach.last(), selection.to()));
    long to = marked.atOrBefore(end);
    progress.expect(end - reach.first());
    while (best == null && to >= reach.first()) {
      // Calls that began before the selection reach into it: all of them are in its first moment.
      long from =
          to < selection.from()
              ? reach.first()
              : Math.max(reach.beginOfPiece(to, reach.first()), marked.partBegin(to));
      for (Track track : reach.tracks(from, to)) {
        PlacedCall found = best;
        read(track.id(), found == null ? from : found.begin(), to, false);
      }
      long before = marked.atOrBefore(from - 1);
      progress.add(to - before);
      to = before;
      reach.grow();
    }
    return Optional.ofNullable(best);
  }

  /** Looks at the calls of a track that begin between two times. */
  private void read(int track, long from, long to, boolean next) {
    progress.check();
    timeline.calls(
        track,
        Math.max(from, selection.from()),
        Math.max(to, selection.from()),
        (depth, method, begin, end, flags) -> {
          progress.check();
          if (begin >= from && begin <= to && methods.get(method)) {
            take(new PlacedCall(track, depth, begin, end - begin), next ? 1 : -1);
          }
        });
  }

  private void take(PlacedCall call, int sign) {
    PlacedCall nearest = best;
    boolean beyond = PlacedCall.BY_PLACE.compare(call, place) * sign > 0;
    if (beyond && (nearest == null || PlacedCall.BY_PLACE.compare(call, nearest) * sign < 0)) {
      best = call;
    }
  }
}
