package dev.kymo.server.answers;

import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import dev.kymo.server.http.BadRequestException;
import dev.kymo.server.http.Query;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The part of a recording that a question is about. */
public final class SelectionQuery {
  /** Half of the range, so that sums of two fit. */
  private static final long MAX_TIME = Long.MAX_VALUE / 2;

  private SelectionQuery() {}

  /** The selection of the query, which is unlimited where the query says nothing. */
  public static TimelineSelection of(Timeline timeline, Query query) {
    int count = timeline.tracks().size();
    long from = query.has("from") ? query.number("from", 0, MAX_TIME) : 0;
    long to = query.has("to") ? query.number("to", from, MAX_TIME) : MAX_TIME;
    List<Integer> tracks =
        query.has("tracks")
            ? IntStream.of(query.numbers("tracks", count - 1, count)).distinct().boxed().toList()
            : all(timeline, query);
    return new TimelineSelection(from, to, tracks);
  }

  /** All tracks, or all of a kind. */
  private static List<Integer> all(Timeline timeline, Query query) {
    Stream<Track> tracks = timeline.tracks().stream();
    if (query.has("kind")) {
      TrackKind kind = kind(query.text("kind"));
      tracks = tracks.filter(track -> track.kind() == kind);
    }
    return tracks.map(Track::id).toList();
  }

  private static TrackKind kind(String text) {
    return switch (text) {
      case "calls" -> TrackKind.CALLS;
      case "states" -> TrackKind.STATES;
      case "jvm" -> TrackKind.JVM;
      case "scheduled" -> TrackKind.SCHEDULED;
      case "cpu" -> TrackKind.CPU;
      default ->
          throw new BadRequestException(
              "Neither calls, states, jvm, scheduled nor cpu: kind=" + text + '.');
    };
  }
}
