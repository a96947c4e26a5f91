package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** Writes rows as columns, one for each fact: smaller and faster than an object for each row. */
public final class Columns<T> {
  private final JsonGenerator json;
  private final List<T> rows;

  public Columns(JsonGenerator json, List<T> rows) {
    this.json = json;
    this.rows = rows;
  }

  /** Small numbers, such as those of tracks. */
  public Columns<T> ints(String name, ToIntFunction<T> fact) throws IOException {
    return numbers(name, row -> fact.applyAsInt(row));
  }

  /** Counts and durations: exact up to what a browser's numbers can hold, and no more than that. */
  public Columns<T> numbers(String name, ToLongFunction<T> fact) throws IOException {
    column(json, name, rows.stream().mapToLong(fact).toArray());
    return this;
  }

  /** Points in time: text, which no browser rounds. */
  Columns<T> times(String name, ToLongFunction<T> fact) throws IOException {
    json.writeArrayFieldStart(name);
    for (T row : rows) {
      json.writeString(Long.toString(fact.applyAsLong(row)));
    }
    json.writeEndArray();
    return this;
  }

  /** Sentences. */
  Columns<T> texts(String name, Function<T, String> fact) throws IOException {
    json.writeArrayFieldStart(name);
    for (T row : rows) {
      json.writeString(fact.apply(row));
    }
    json.writeEndArray();
    return this;
  }

  /** One column by itself. */
  public static void column(JsonGenerator json, String name, long[] values) throws IOException {
    json.writeArrayFieldStart(name);
    for (long value : values) {
      json.writeNumber(Math.min(value, SliceColumns.MAX_OFFSET));
    }
    json.writeEndArray();
  }
}
