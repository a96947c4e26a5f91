package dev.kymo.importers.paje.lines;

import java.util.LinkedHashMap;
import java.util.Map;

/** A line of the file, by its definition; the reader uses one object for all of them. */
public final class PajeEvent {
  private PajeKind kind = PajeKind.TRACE_FILE;
  private final Map<String, String> fields = new LinkedHashMap<>();
  private long time;
  private long line;

  PajeEvent() {}

  void begin(PajeKind what, long at) {
    kind = what;
    line = at;
    time = 0;
    fields.clear();
  }

  void put(String field, String value) {
    fields.put(field, value);
  }

  void at(long nanos) {
    time = nanos;
  }

  public PajeKind kind() {
    return kind;
  }

  /** Nanoseconds; 0 if it has no time. */
  public long time() {
    return time;
  }

  /** Number of the line, from 1. */
  public long line() {
    return line;
  }

  /** A field by the format's name of it; empty if the event has none. */
  public String get(String field) {
    return fields.getOrDefault(field, "");
  }

  /** All fields, in the order of the definition. */
  public Map<String, String> fields() {
    return fields;
  }
}
