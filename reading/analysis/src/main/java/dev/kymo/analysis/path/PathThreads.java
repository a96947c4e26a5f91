package dev.kymo.analysis.path;

import dev.kymo.analysis.cause.ReportedTimes;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.format.SchedulerState;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** The threads of a recording by their tracks: each has one for its calls, states, scheduling. */
final class PathThreads {
  /** Number of pieces in which a path is searched. */
  private static final int PIECES = 64;

  private final Timeline timeline;
  private final long from;
  private final long width;
  private final Progress progress;
  private final List<Track> tracks;
  private final Map<Integer, PathThread> known = new HashMap<>();

  PathThreads(Timeline timeline, long from, long to, Progress progress) {
    this.timeline = timeline;
    this.from = from;
    this.width = Math.max(1, (to - from) / PIECES);
    this.progress = progress;
    this.tracks = timeline.tracks();
  }

  PathThread of(int track) {
    return known.computeIfAbsent(standing(track), this::make);
  }

  /** The track that stands for the thread of a track. */
  int standing(int track) {
    int of = tracks.get(track).of();
    return of >= 0 ? of : track;
  }

  private PathThread make(int thread) {
    Track states = find(thread, TrackKind.STATES);
    Track scheduled = find(thread, TrackKind.SCHEDULED);
    WaitTrack told =
        waits(states, (depth, method) -> !ReportedTimes.isWeaving(timeline.method(method)));
    WaitTrack blocked =
        waits(
            scheduled,
            (depth, method) -> depth == 0 && timeline.method(method).is(SchedulerState.BLOCKED));
    long begin =
        tracks.stream()
            .filter(track -> standing(track.id()) == thread && track.events() > 0)
            .mapToLong(Track::begin)
            .min()
            .orElse(from);
    int kernel = scheduled == null ? -1 : scheduled.id();
    return new PathThread(tracks.get(thread), kernel, begin, told, blocked);
  }

  private @Nullable Track find(int thread, TrackKind kind) {
    for (Track track : tracks) {
      if (track.kind() == kind && standing(track.id()) == thread) {
        return track;
      }
    }
    return null;
  }

  private @Nullable WaitTrack waits(@Nullable Track track, BiPredicate<Integer, Integer> isWait) {
    return track == null
        ? null
        : new WaitTrack(timeline, track.id(), from, width, isWait, progress);
  }
}
