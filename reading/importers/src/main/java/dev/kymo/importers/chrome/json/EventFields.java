package dev.kymo.importers.chrome.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.kymo.importers.target.ForeignException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Reads the fields of one event. */
final class EventFields {
  /** Makes the exception for an event that cannot be read. */
  interface Damage {
    ForeignException at(String problem, JsonParser json, String facts);
  }

  private EventFields() {}

  /** The parser is at the event's object. */
  static void read(JsonParser json, TraceEvent event, Damage damage) throws IOException {
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      json.nextToken();
      field(json, key, event, damage);
    }
  }

  private static void field(JsonParser json, String key, TraceEvent event, Damage damage)
      throws IOException {
    switch (key) {
      case "ph" -> event.phase = text(json);
      case "cat" -> event.category = text(json);
      case "name" -> event.name = text(json);
      case "pid" -> event.pid = text(json);
      case "tid" -> event.tid = text(json);
      case "id" -> event.id = text(json);
      case "scope" -> event.scope = text(json);
      case "bind_id" -> event.bindId = text(json);
      case "sf" -> event.frame = text(json);
      case "flow_in" -> event.flowIn = isTrue(json);
      case "flow_out" -> event.flowOut = isTrue(json);
      case "ts" -> {
        event.time = nanos(json, key, damage);
        event.timed = true;
      }
      case "dur" -> {
        event.duration = nanos(json, key, damage);
        event.lasting = true;
      }
      case "id2" -> id2(json, event);
      case "args" -> arguments(json, event);
      default -> Values.put(event.more, Values.name(key), Values.value(json));
    }
  }

  private static boolean isTrue(JsonParser json) throws IOException {
    return json.currentToken() == JsonToken.VALUE_TRUE || text(json).equals("true");
  }

  private static String text(JsonParser json) throws IOException {
    if (json.currentToken().isStructStart()) {
      return Values.name(Values.structure(json));
    }
    return json.currentToken() == JsonToken.VALUE_NULL ? "" : Values.cut(json.getText(), 1000);
  }

  private static long nanos(JsonParser json, String key, Damage damage) throws IOException {
    String text = text(json);
    try {
      return Micros.nanos(text);
    } catch (NumberFormatException e) {
      throw damage.at(
          "time is not a number of microseconds", json, key + "=" + text.replaceAll("\\s+", " "));
    }
  }

  private static void id2(JsonParser json, TraceEvent event) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      event.id = text(json);
      return;
    }
    Map<String, Object> parts = new HashMap<>();
    Values.flatten(json, "", 0, parts);
    Object local = parts.get("local");
    event.local = local != null;
    event.id = String.valueOf(local != null ? local : parts.getOrDefault("global", ""));
  }

  private static void arguments(JsonParser json, TraceEvent event) throws IOException {
    if (json.currentToken() == JsonToken.START_OBJECT) {
      Values.flatten(json, "", 0, event.arguments);
    } else {
      Object value = Values.value(json);
      if (!value.equals("") && !value.equals("null")) {
        event.arguments.put("args", value);
      }
    }
  }
}
