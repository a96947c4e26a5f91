package dev.kymo.analysis.events;

import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.Reach;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the event of some kinds that comes next after, or last before, a place. Events have places
 * as calls have: below all calls that begin at their time.
 */
public final class NearestEvent {
  /** Of an event's place; no call is nested as deeply. */
  public static final int DEPTH = Integer.MAX_VALUE;

  private static final int FIRST_EVENTS = 5000;

  private final Timeline timeline;
  private final TimelineSelection selection;
  private final BitSet kinds;
  private final Progress progress;
  private final PlacedCall place;
  private final Reach reach;
  private @Nullable PlacedCall best;

  private NearestEvent(
      Timeline timeline,
      TimelineSelection selection,
      BitSet kinds,
      PlacedCall place,
      Progress progress) {
    this.timeline = timeline;
    this.selection = selection;
    this.kinds = kinds;
    this.place = place;
    this.progress = progress;
    this.reach = new Reach(timeline, selection, FIRST_EVENTS);
  }

  /** The nearest one after a place. */
  public static Optional<PlacedCall> next(
      Timeline timeline,
      TimelineSelection selection,
      BitSet kinds,
      PlacedCall place,
      Progress progress) {
    return of(timeline, selection, kinds, place, progress).forward();
  }

  /** The nearest one before a place. */
  public static Optional<PlacedCall> previous(
      Timeline timeline,
      TimelineSelection selection,
      BitSet kinds,
      PlacedCall place,
      Progress progress) {
    return of(timeline, selection, kinds, place, progress).backward();
  }

  private static NearestEvent of(
      Timeline timeline,
      TimelineSelection selection,
      BitSet kinds,
      PlacedCall place,
      Progress progress) {
    TimelineSelection own =
        new TimelineSelection(
            selection.from(),
            selection.to(),
            kinds.isEmpty() ? List.of() : NamedEvents.tracks(timeline, selection));
    return new NearestEvent(timeline, own, kinds, place, progress);
  }

  private Optional<PlacedCall> forward() {
    long end = Math.min(reach.last(), selection.to());
    long from = Math.max(place.begin(), Math.max(reach.first(), selection.from()));
    while (best == null && from <= end) {
      long to = reach.endOfPiece(from, end);
      read(from, to, 1);
      from = to + 1;
      reach.grow();
    }
    return Optional.ofNullable(best);
  }

  private Optional<PlacedCall> backward() {
    long begin = Math.max(reach.first(), selection.from());
    long to = Math.min(place.begin(), Math.min(reach.last(), selection.to()));
    while (best == null && to >= begin) {
      long from = reach.beginOfPiece(to, begin);
      read(from, to, -1);
      to = from - 1;
      reach.grow();
    }
    return Optional.ofNullable(best);
  }

  private void read(long from, long to, int sign) {
    for (Track track : reach.tracks(from, to)) {
      timeline.events(
          track.id(),
          from,
          to,
          (time, event, batch, word) -> {
            progress.check();
            if (kinds.get(event.number())) {
              take(new PlacedCall(track.id(), DEPTH, time, 0), sign);
            }
          });
    }
  }

  private void take(PlacedCall event, int sign) {
    PlacedCall nearest = best;
    boolean beyond = PlacedCall.BY_PLACE.compare(event, place) * sign > 0;
    if (beyond && (nearest == null || PlacedCall.BY_PLACE.compare(event, nearest) * sign < 0)) {
      best = event;
    }
  }
}
