package dev.kymo.analysis.events;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.format.EventKind;
import dev.kymo.model.replay.Overview;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.BitSet;
import java.util.List;

/**
 * Where the events of some kinds are: how many, and how many when. Kinds have their numbers among
 * those of methods; those that begin something are methods, whose calls are looked for instead.
 */
public final class NamedEvents {
  private final long[] marks;
  private long count;

  private NamedEvents(int buckets) {
    marks = new long[buckets];
  }

  /** Those of some methods' numbers that are kinds of events, and begin nothing. */
  public static BitSet kinds(Timeline timeline, BitSet methods) {
    BitSet kinds = new BitSet();
    timeline.events().stream()
        .filter(event -> !EventKind.BEGIN.is(event.kind()) && methods.get(event.number()))
        .forEach(event -> kinds.set(event.number()));
    return kinds;
  }

  /** The others: those that may have calls. */
  public static BitSet calls(Timeline timeline, BitSet methods) {
    BitSet calls = (BitSet) methods.clone();
    calls.andNot(kinds(timeline, methods));
    return calls;
  }

  /** The tracks of a selection that have events of the program's own. */
  public static List<Integer> tracks(Timeline timeline, TimelineSelection selection) {
    List<Track> all = timeline.tracks();
    return selection.tracks().stream().filter(track -> all.get(track).own() > 0).toList();
  }

  /** Goes through the events of a selection. */
  public static NamedEvents of(
      Timeline timeline, TimelineSelection selection, BitSet kinds, Progress progress) {
    long width = timeline.overview().width();
    int buckets = Math.clamp(timeline.duration() / width + 1, 1, Overview.BUCKETS);
    NamedEvents found = new NamedEvents(buckets);
    if (!kinds.isEmpty()) {
      for (int track : tracks(timeline, selection)) {
        timeline.events(
            track,
            selection.from(),
            selection.to(),
            (time, event, batch, word) -> {
              progress.check();
              if (kinds.get(event.number())) {
                found.count++;
                found.marks[Math.clamp(time / width, 0, buckets - 1)]++;
              }
            });
      }
    }
    return found;
  }

  /** How many there are. */
  public long count() {
    return count;
  }

  /** How many there are in each bucket, as a search for calls has them. */
  public long[] marks() {
    return marks;
  }
}
