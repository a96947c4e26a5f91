package dev.kymo.analysis.events;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.Reach;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of what happened in a selection, in the order of time: calls, states, who ended them, events
 * of the program's own, messages, losses. What happened at one time stays together.
 */
public final class EventPage {
  /** Events that a piece of the recording may have before it is read in smaller ones. */
  private static final int MAX_PIECE = 50_000;

  private static final Comparator<RecordedEvent> BY_TIME =
      Comparator.comparingLong(RecordedEvent::time).thenComparingInt(RecordedEvent::track);

  private final ListedEvents listed;
  private final TimelineSelection selection;
  private final int count;
  private final Progress progress;
  private final Reach reach;
  private List<RecordedEvent> events = new ArrayList<>();
  private boolean more;

  private EventPage(
      Timeline timeline,
      TimelineSelection selection,
      EventChoice choice,
      int count,
      Progress progress) {
    this.listed = new ListedEvents(timeline, choice, progress);
    List<Track> all = timeline.tracks();
    List<Integer> tracks =
        selection.tracks().stream().filter(track -> listed.mayHave(all.get(track))).toList();
    this.selection = new TimelineSelection(selection.from(), selection.to(), tracks);
    this.count = count;
    this.progress = progress;
    this.reach = new Reach(tracks.stream().map(all::get).map(listed::reaching).toList(), count * 2);
  }

  /** The first {@code count} events at or after a time, and those of the same time as the last. */
  public static EventPage after(
      Timeline timeline,
      TimelineSelection selection,
      EventChoice choice,
      long time,
      int count,
      Progress progress) {
    EventPage page = new EventPage(timeline, selection, choice, count, progress);
    page.forward(time);
    page.listed.complete(page.events);
    return page;
  }

  /** The last {@code count} events before a time, and those of the same time as the first. */
  public static EventPage before(
      Timeline timeline,
      TimelineSelection selection,
      EventChoice choice,
      long time,
      int count,
      Progress progress) {
    EventPage page = new EventPage(timeline, selection, choice, count, progress);
    page.backward(time);
    page.listed.complete(page.events);
    return page;
  }

  /** The events, in the order of their times. */
  public List<RecordedEvent> events() {
    return events;
  }

  /** Whether there are others in that direction. */
  public boolean more() {
    return more;
  }

  private void forward(long time) {
    long from = Math.max(time, Math.max(selection.from(), reach.first()));
    long end = Math.min(selection.to(), reach.last());
    progress.expect(end - from);
    while (from <= end && !more) {
      long to = reach.endOfPiece(from, end);
      List<RecordedEvent> piece = read(from, to);
      if (piece != null) {
        events.addAll(piece);
        progress.add(to - from);
        from = to + 1;
        cutEnd();
      }
    }
  }

  private void cutEnd() {
    if (events.size() > count) {
      long last = events.get(count - 1).time();
      int size = count;
      while (size < events.size() && events.get(size).time() == last) {
        size++;
      }
      more = size < events.size();
      events = new ArrayList<>(events.subList(0, size));
    }
  }

  private void backward(long time) {
    long begin = Math.max(selection.from(), reach.first());
    long to = Math.min(time - 1, Math.min(selection.to(), reach.last()));
    progress.expect(to - begin);
    while (to >= begin && !more) {
      long from = reach.beginOfPiece(to, begin);
      List<RecordedEvent> piece = read(from, to);
      if (piece != null) {
        piece.addAll(events);
        events = piece;
        progress.add(to - from);
        to = from - 1;
        cutBegin();
      }
    }
  }

  private void cutBegin() {
    if (events.size() > count) {
      int first = events.size() - count;
      long time = events.get(first).time();
      while (first > 0 && events.get(first - 1).time() == time) {
        first--;
      }
      more = first > 0;
      events = new ArrayList<>(events.subList(first, events.size()));
    }
  }

  /** All events of a piece; null if they are too many, so that the next piece is a smaller one. */
  private @Nullable List<RecordedEvent> read(long from, long to) {
    List<RecordedEvent> piece = new ArrayList<>();
    try {
      for (Track track : reach.tracks(from, to)) {
        progress.check();
        int room = MAX_PIECE - piece.size();
        piece.addAll(listed.of(track, from, to, room));
      }
    } catch (TrackEvents.TooManyException e) {
      if (!reach.shrink()) {
        throw new UnanswerableException(
            "Too many events of one time to be listed: time="
                + from
                + ", at most "
                + MAX_PIECE
                + '.');
      }
      return null;
    }
    if (piece.size() < count) {
      reach.grow();
    }
    piece.sort(BY_TIME);
    return piece;
  }
}
