package dev.kymo.server.page;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.events.ReportedEvent;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.answers.Columns;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of a program's own in few bytes.
 *
 * <pre>
 *   columns, a number for each event, track by track, in the order of time:
 *     time, from that of the event before · event · place in the list of texts
 * </pre>
 */
final class PackedUserEvents {
  private static final int MAX_MESSAGES = 100_000;

  private final NumberColumn times = new NumberColumn();
  private final NumberColumn events = new NumberColumn();
  private final NumberColumn places = new NumberColumn();
  private final Map<String, Integer> texts = new LinkedHashMap<>();
  private final long[] counts;
  private final List<Arrows.Arrow> messages;
  private long last;

  PackedUserEvents(Timeline timeline) {
    counts = new long[timeline.tracks().size()];
    for (int track = 0; track < counts.length; track++) {
      pack(timeline, track);
    }
    messages = timeline.arrows(ArrowKind.MESSAGE, 0, Long.MAX_VALUE / 2, MAX_MESSAGES).arrows();
  }

  private void pack(Timeline timeline, int track) {
    last = 0;
    timeline.events(
        track,
        0,
        Long.MAX_VALUE / 2,
        (time, event, batch, word) -> {
          times.add(time - last);
          last = time;
          events.add(event.number());
          String text = ReportedEvent.cut(event.text(batch, word));
          places.add(texts.computeIfAbsent(text, _ -> texts.size()));
          counts[track]++;
        });
  }

  /** How many there are on a track. */
  long count(int track) {
    return counts[track];
  }

  List<NumberColumn> columns() {
    return List.of(times, events, places);
  }

  void write(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("texts");
    for (String text : texts.keySet()) {
      json.writeString(text);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("messages");
    new Columns<>(json, messages)
        .numbers("time", Arrows.Arrow::time)
        .numbers("waited", Arrows.Arrow::waited)
        .ints("fromTrack", Arrows.Arrow::fromTrack)
        .ints("toTrack", Arrows.Arrow::toTrack)
        .ints("method", Arrows.Arrow::method);
    json.writeEndObject();
  }
}
