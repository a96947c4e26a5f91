package dev.kymo.server;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.model.Timeline;
import dev.kymo.model.TracedMethod;
import java.io.IOException;

/** {@code /api/methods}: names of methods, asked for as they come into sight. */
final class MethodsAnswer {
  static final int MAX_IDS = 1000;

  private MethodsAnswer() {}

  static Answers.Body of(Timeline timeline, Query query) {
    int[] ids = query.numbers("ids", timeline.methods() - 1, MAX_IDS);
    return json -> {
      json.writeStartObject();
      json.writeArrayFieldStart("methods");
      for (int id : ids) {
        write(json, timeline.method(id));
      }
      json.writeEndArray();
      json.writeEndObject();
    };
  }

  static void write(JsonGenerator json, TracedMethod method) throws IOException {
    json.writeStartObject();
    json.writeNumberField("id", method.id());
    json.writeNumberField("process", method.process());
    json.writeStringField("type", method.type());
    json.writeStringField("name", method.name());
    json.writeStringField("descriptor", method.descriptor());
    json.writeStringField("loader", method.loader());
    json.writeStringField("source", method.source());
    json.writeNumberField("line", method.line());
    json.writeEndObject();
  }
}
