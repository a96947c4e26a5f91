package dev.kymo.analysis.search;

import dev.kymo.analysis.events.NamedEvents;
import dev.kymo.analysis.events.NearestEvent;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/** Hands out hits that begin between two times. */
final class HitWalk {
  private final Timeline timeline;
  private final BitSet calls;
  private final BitSet kinds;
  private final Set<Integer> withEvents;
  private final Progress progress;

  HitWalk(Timeline timeline, TimelineSelection selection, BitSet methods, Progress progress) {
    this.timeline = timeline;
    this.calls = NamedEvents.calls(timeline, methods);
    this.kinds = NamedEvents.kinds(timeline, methods);
    this.withEvents =
        kinds.isEmpty() ? Set.of() : new HashSet<>(NamedEvents.tracks(timeline, selection));
    this.progress = progress;
  }

  /** Takes hits; an exception that it throws ends the walk. */
  @FunctionalInterface
  interface Visitor {
    void hit(int track, int depth, int method, long begin, long duration);
  }

  /** In no order. */
  void between(Track track, long from, long to, Visitor visitor) {
    progress.check();
    if (!calls.isEmpty()) {
      timeline.calls(
          track.id(),
          from,
          to,
          (depth, method, begin, end, flags) -> {
            progress.check();
            if (begin >= from && begin <= to && calls.get(method)) {
              visitor.hit(track.id(), depth, method, begin, end - begin);
            }
          });
    }
    if (withEvents.contains(track.id())) {
      timeline.events(
          track.id(),
          from,
          to,
          (time, event, batch, word) -> {
            progress.check();
            if (kinds.get(event.number())) {
              visitor.hit(track.id(), NearestEvent.DEPTH, event.number(), time, 0);
            }
          });
    }
  }
}
