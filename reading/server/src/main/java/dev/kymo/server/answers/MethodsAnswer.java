package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code /api/methods}: names of methods, requested when they become visible. */
public final class MethodsAnswer {
  static final int MAX_IDS = 1000;

  private MethodsAnswer() {}

  public static Answers.Body of(Timeline timeline, Query query) {
    int[] ids = query.numbers("ids", timeline.methods() - 1, MAX_IDS);
    return json -> {
      json.writeStartObject();
      json.writeArrayFieldStart("methods");
      Map<Integer, TracedEvent> events = events(timeline);
      for (int id : ids) {
        write(json, timeline.method(id), events.get(id));
      }
      json.writeEndArray();
      json.writeEndObject();
    };
  }

  /** The user events, by their numbers as methods. */
  public static Map<Integer, TracedEvent> events(Timeline timeline) {
    return timeline.events().stream().collect(Collectors.toMap(TracedEvent::number, e -> e));
  }

  public static void write(JsonGenerator json, TracedMethod method, @Nullable TracedEvent event)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("id", method.id());
    json.writeNumberField("process", method.process());
    json.writeStringField("type", method.type());
    json.writeStringField("name", method.name());
    json.writeStringField("descriptor", method.descriptor());
    json.writeStringField("loader", method.loader());
    json.writeStringField("source", method.source());
    json.writeNumberField("line", method.line());
    if (event != null) {
      write(json, event);
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, TracedEvent event) throws IOException {
    json.writeObjectFieldStart("event");
    json.writeNumberField("kind", event.kind());
    json.writeStringField("description", event.definition().description());
    json.writeStringField("fields", event.definition().fields());
    json.writeStringField("category", event.subsystem().category());
    json.writeStringField("colour", event.subsystem().color());
    json.writeEndObject();
  }
}
