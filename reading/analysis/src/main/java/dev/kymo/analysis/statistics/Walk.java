package dev.kymo.analysis.statistics;

import dev.kymo.analysis.selection.CallCollector;
import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.format.EventKind;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Hands everything of a subject in a selection to takers. */
final class Walk {
  /** It took no time that could be told. */
  static final long NO_TIME = Long.MIN_VALUE;

  private final Timeline timeline;
  private final TimelineSelection selection;
  private final Grouping by;
  private final Progress progress;
  private boolean incomplete;

  /** Takes what happened; used by one thread. */
  interface Taker<T extends Taker<T>> {
    /**
     * Something of a kind.
     *
     * @param number of the method, state or event
     * @param from when it began in the selection
     * @param time that it has there; of a message it may be negative; {@link #NO_TIME}
     * @param nested in another call of the method
     * @param begin when it began, on the track and at the depth
     * @param whole how long it took
     */
    void take(
        int number,
        int group,
        long from,
        long time,
        boolean nested,
        int track,
        int depth,
        long begin,
        long whole);

    /** Adds what another one has taken from other tracks. */
    void merge(T other);
  }

  Walk(Timeline timeline, TimelineSelection selection, Grouping by, Progress progress) {
    this.timeline = timeline;
    this.selection = selection;
    this.by = by;
    this.progress = progress;
  }

  /** The tracks that a subject is about. */
  static TimelineSelection tracks(Timeline timeline, TimelineSelection selection, Subject subject) {
    if (subject == Subject.CALLS) {
      return selection.ofCalls(timeline);
    }
    TrackKind kind = subject.kind();
    List<Track> all = timeline.tracks();
    return kind == null
        ? selection
        : new TimelineSelection(
            selection.from(),
            selection.to(),
            selection.tracks().stream().filter(track -> all.get(track).kind() == kind).toList());
  }

  <T extends Taker<T>> T run(Subject subject, Supplier<T> takers) {
    return switch (subject) {
      case EVENTS -> events(takers);
      case MESSAGES -> messages(takers.get());
      default -> calls(tracks(timeline, selection, subject), takers, false, all());
    };
  }

  /** Whether there was more than is kept. */
  boolean isIncomplete() {
    return incomplete;
  }

  private BitSet all() {
    BitSet all = new BitSet();
    all.set(0, timeline.methods());
    return all;
  }

  private <T extends Taker<T>> T calls(
      TimelineSelection of, Supplier<T> takers, boolean begunOnly, BitSet wanted) {
    return CallWalk.run(
            timeline, of, progress, () -> new Calls<T>(takers.get(), of, begunOnly, wanted))
        .taker;
  }

  private final class Calls<T extends Taker<T>> implements CallCollector<Calls<T>> {
    private final T taker;
    private final TimelineSelection of;
    private final boolean begunOnly;
    private final BitSet wanted;
    private final Groups groups;
    private int track;

    Calls(T taker, TimelineSelection of, boolean begunOnly, BitSet wanted) {
      this.taker = taker;
      this.of = of;
      this.begunOnly = begunOnly;
      this.wanted = wanted;
      this.groups = new Groups(timeline, of, by);
    }

    @Override
    public void track(int next) {
      track = next;
      groups.track(next);
    }

    @Override
    public void call(int depth, int method, long begin, long end, int flags) {
      if (!wanted.get(method) || (begunOnly && begin < of.from())) {
        return;
      }
      long from = Math.max(begin, of.from());
      boolean nested = (flags & CallCursor.NESTED) != 0;
      taker.take(
          method,
          groups.at(from),
          from,
          Math.min(end, of.to()) - from,
          nested,
          track,
          depth,
          begin,
          end - begin);
    }

    @Override
    public void merge(Calls<T> other) {
      taker.merge(other.taker);
    }
  }

  /** Those that begin something are calls; the others stand for themselves. */
  private <T extends Taker<T>> T events(Supplier<T> takers) {
    BitSet begins = new BitSet();
    timeline.events().stream()
        .filter(event -> EventKind.BEGIN.is(event.kind()))
        .forEach(event -> begins.set(event.number()));
    T taker = begins.isEmpty() ? takers.get() : calls(selection, takers, true, begins);
    List<Track> all = timeline.tracks();
    Map<Long, Integer> tracks = new HashMap<>();
    for (int track : selection.tracks()) {
      if (all.get(track).own() > 0) {
        tracks.put(key(all.get(track).process(), all.get(track).thread()), track);
      }
    }
    Groups.OfTracks groups = new Groups.OfTracks(timeline, selection, by);
    Map<Long, Long> before = new HashMap<>();
    timeline.events(
        tracks.values(),
        selection.from(),
        selection.to(),
        (time, event, batch, word) -> {
          progress.check();
          Integer track = tracks.get(key(batch.process(), batch.thread()));
          if (track != null && !EventKind.BEGIN.is(event.kind())) {
            Long last = before.put(key(track, event.number()), time);
            long since = last == null ? NO_TIME : time - last;
            taker.take(
                event.number(), groups.at(track, time), time, since, false, track, 0, time, since);
          }
        });
    return taker;
  }

  private static long key(int high, int low) {
    return (long) high << 32 | (low & 0xFFFFFFFFL);
  }

  /** Those that a selected thread sent or received, and that were on their way in the time. */
  private <T extends Taker<T>> T messages(T taker) {
    Arrows arrows =
        timeline.arrows(ArrowKind.MESSAGE, selection.from(), selection.to(), Integer.MAX_VALUE - 1);
    incomplete = arrows.longestOnly();
    Set<Integer> tracks = new HashSet<>(selection.tracks());
    int current = -1;
    Groups groups = new Groups(timeline, selection, by);
    List<Arrows.Arrow> bySender =
        arrows.arrows().stream()
            .filter(arrow -> tracks.contains(arrow.fromTrack()) || tracks.contains(arrow.toTrack()))
            .sorted(Comparator.comparingInt(Arrows.Arrow::fromTrack))
            .toList();
    for (Arrows.Arrow arrow : bySender) {
      progress.check();
      if (arrow.fromTrack() != current) {
        current = arrow.fromTrack();
        groups.track(current);
      }
      long sent = arrow.time() - arrow.waited();
      taker.take(
          arrow.method(),
          groups.at(sent),
          sent,
          arrow.waited(),
          false,
          current,
          0,
          sent,
          arrow.waited());
    }
    return taker;
  }
}
