package dev.kymo.importers.target;

import dev.kymo.format.Definition;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a reader finds in a recording made of a foreign file. */
public record Converted(
    List<String> notices,
    List<String> oddities,
    List<String> tracks,
    List<String> calls,
    List<String> events,
    int messages,
    long duration) {

  public static Converted read(Path recording) throws IOException {
    try (Timeline timeline = Timelines.open(recording, ProgressListener.NONE)) {
      return of(timeline, notices(recording));
    }
  }

  public static Converted of(Timeline timeline, List<String> notices) {
    List<String> calls = new ArrayList<>();
    List<String> events = new ArrayList<>();
    List<Track> tracks = timeline.tracks();
    for (int number = 0; number < tracks.size(); number++) {
      Track track = tracks.get(number);
      timeline.calls(
          number,
          0,
          Long.MAX_VALUE,
          (depth, method, begin, end, flags) ->
              calls.add(
                  "%s: %s %d-%d"
                      .formatted(
                          track.name(), timeline.method(method).qualifiedName(), begin, end)));
      timeline.events(
          number,
          0,
          Long.MAX_VALUE,
          (time, event, batch, word) ->
              events.add(
                  "%s: %d %s %s"
                      .formatted(
                          track.name(), time, event.qualifiedName(), event.text(batch, word))));
    }
    return new Converted(
        notices,
        timeline.oddities(),
        timeline.tracks().stream().map(Track::name).toList(),
        calls,
        events,
        timeline
            .arrows(
                dev.kymo.model.arrows.ArrowKind.MESSAGE, 0, Long.MAX_VALUE, Integer.MAX_VALUE - 1)
            .arrows()
            .size(),
        timeline.duration());
  }

  public static List<String> notices(Path recording) throws IOException {
    try (Recording open = Recording.open(recording)) {
      return CallPass.open(open).definitions().notices().stream()
          .map(Definition.Notice::text)
          .toList();
    }
  }
}
