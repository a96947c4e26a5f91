package dev.kymo.server.answers;

import dev.kymo.analysis.events.ReportedEvent;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.util.List;

/** {@code /api/own-list}: what the events of a program's own on a track tell. */
public final class UserEventListAnswer {
  private static final int MAX = 100;

  private UserEventListAnswer() {}

  public static Jobs.Work of(Timeline timeline, Query query) {
    int track = (int) query.number("track", 0, timeline.tracks().size() - 1L);
    long from = query.number("from", 0, Long.MAX_VALUE / 2);
    long to = query.number("to", from, Long.MAX_VALUE / 2);
    int max = (int) query.number("max", 1, MAX);
    return progress -> {
      List<ReportedEvent> found = ReportedEvent.first(timeline, track, from, to, max + 1, progress);
      List<ReportedEvent> told = found.subList(0, Math.min(max, found.size()));
      return json -> {
        json.writeStartObject();
        json.writeBooleanField("more", found.size() > max);
        new Columns<>(json, told)
            .times("time", ReportedEvent::time)
            .ints("event", event -> event.event().number())
            .texts("name", event -> event.event().qualifiedName())
            .texts("text", ReportedEvent::text);
        json.writeArrayFieldStart("stack");
        for (ReportedEvent event : told) {
          json.writeStartArray();
          for (int method : event.frames()) {
            json.writeNumber(method);
          }
          json.writeEndArray();
        }
        json.writeEndArray();
        json.writeEndObject();
      };
    };
  }
}
