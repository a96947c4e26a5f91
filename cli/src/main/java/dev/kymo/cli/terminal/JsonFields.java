package dev.kymo.cli.terminal;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;

/** Writes fields that several commands have in their JSON. */
public final class JsonFields {
  private JsonFields() {}

  /** Writes an array of strings. */
  public static void strings(JsonGenerator json, String name, List<String> values)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String value : values) {
      json.writeString(value);
    }
    json.writeEndArray();
  }

  /** Writes a number, or null if nobody knows it. */
  public static void number(JsonGenerator json, String name, boolean known, long number)
      throws IOException {
    if (known) {
      json.writeNumberField(name, number);
    } else {
      json.writeNullField(name);
    }
  }
}
