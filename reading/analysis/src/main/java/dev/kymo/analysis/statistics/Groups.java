package dev.kymo.analysis.statistics;

import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which group something belongs to: number of the process, of the track of the thread, or of the
 * processor. Used by one thread.
 */
final class Groups {
  /** Of everything, if nothing is to be told apart. */
  static final int ALL = 0;

  private final Timeline timeline;
  private final TimelineSelection selection;
  private final Grouping by;
  private final Map<Integer, Integer> scheduled;

  /** How many of these are kept at once. */
  private final int kept;

  private int group;
  private @Nullable Cores cores;

  Groups(Timeline timeline, TimelineSelection selection, Grouping by) {
    this(timeline, selection, by, by == Grouping.CORE ? Cores.scheduled(timeline) : Map.of(), 1);
  }

  private Groups(
      Timeline timeline,
      TimelineSelection selection,
      Grouping by,
      Map<Integer, Integer> scheduled,
      int kept) {
    this.scheduled = scheduled;
    this.kept = kept;
    this.timeline = timeline;
    this.selection = selection;
    this.by = by;
  }

  /** What follows is of this track. */
  void track(int track) {
    List<Track> all = timeline.tracks();
    Track known = all.get(track);
    cores =
        by == Grouping.CORE
            ? Cores.of(timeline, track, scheduled, selection.from(), selection.to(), kept)
            : null;
    group =
        switch (by) {
          case NONE -> ALL;
          case PROCESS -> known.process();
          case THREAD -> known.of() >= 0 ? known.of() : track;
          case CORE -> Cores.UNKNOWN;
        };
  }

  /** The group at a time. */
  int at(long time) {
    Cores known = cores;
    return known == null ? group : known.at(time);
  }

  /** Groups of several tracks at once. */
  static final class OfTracks {
    private final Timeline timeline;
    private final TimelineSelection selection;
    private final Grouping by;
    private final Map<Integer, Integer> scheduled;
    private final Map<Integer, Groups> byTrack = new HashMap<>();

    OfTracks(Timeline timeline, TimelineSelection selection, Grouping by) {
      this.timeline = timeline;
      this.selection = selection;
      this.by = by;
      this.scheduled = by == Grouping.CORE ? Cores.scheduled(timeline) : Map.of();
    }

    int at(int track, long time) {
      return byTrack.computeIfAbsent(track, this::groups).at(time);
    }

    private Groups groups(int track) {
      Groups made = new Groups(timeline, selection, by, scheduled, timeline.tracks().size());
      made.track(track);
      return made;
    }
  }
}
