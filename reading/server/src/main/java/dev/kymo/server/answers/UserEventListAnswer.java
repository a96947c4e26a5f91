package dev.kymo.server;

import dev.kymo.analysis.ToldEvent;
import dev.kymo.model.Timeline;
import java.util.List;

/** {@code /api/own-list}: what the events of a program's own on a track tell. */
final class OwnListAnswer {
  private static final int MAX = 100;

  private OwnListAnswer() {}

  static Jobs.Work of(Timeline timeline, Query query) {
    int track = (int) query.number("track", 0, timeline.tracks().size() - 1L);
    long from = query.number("from", 0, Long.MAX_VALUE / 2);
    long to = query.number("to", from, Long.MAX_VALUE / 2);
    int max = (int) query.number("max", 1, MAX);
    return progress -> {
      List<ToldEvent> found = ToldEvent.first(timeline, track, from, to, max + 1, progress);
      List<ToldEvent> told = found.subList(0, Math.min(max, found.size()));
      return json -> {
        json.writeStartObject();
        json.writeBooleanField("more", found.size() > max);
        new Columns<>(json, told)
            .times("time", ToldEvent::time)
            .ints("event", event -> event.event().number())
            .texts("name", event -> event.event().qualifiedName())
            .texts("text", ToldEvent::text);
        json.writeEndObject();
      };
    };
  }
}
