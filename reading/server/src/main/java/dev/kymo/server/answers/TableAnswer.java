package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.tables.Column;
import dev.kymo.tables.Table;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes a table with what its columns mean, so that a page can show columns that it knows nothing
 * of.
 */
final class TableAnswer {
  private TableAnswer() {}

  static <R> void write(JsonGenerator json, Table<R> table, List<R> rows) throws IOException {
    json.writeObjectFieldStart(table.name());
    json.writeNumberField("rows", rows.size());
    json.writeArrayFieldStart("columns");
    for (Column<R> column : table.columns()) {
      json.writeStartObject();
      json.writeStringField("id", column.id());
      json.writeStringField("label", column.label());
      json.writeStringField("unit", column.unit().name().toLowerCase(Locale.ROOT));
      json.writeStringField("meaning", column.meaning());
      json.writeArrayFieldStart("values");
      for (R row : rows) {
        write(json, column, column.value().apply(row));
      }
      json.writeEndArray();
      absent(json, column, rows);
      least(json, column, rows);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Column<?> column, @Nullable Object value)
      throws IOException {
    if (value == null) {
      json.writeNull();
      return;
    }
    switch (column.unit()) {
      case COUNT, BYTES, NANOS, NUMBER ->
          json.writeNumber(Math.min((Long) value, SliceColumns.MAX_OFFSET));
      case SHARE, VALUE -> UserEventsAnswer.value(json, (Double) value);
      case SERIES -> json.writeArray((long[]) value, 0, ((long[]) value).length);
      case FLAG -> json.writeBoolean((Boolean) value);
      case TEXT, MOMENT, ADDRESS -> json.writeString(column.unit().plain(value));
    }
  }

  /** What people read where there is no value; left out if that is nothing everywhere. */
  private static <R> void absent(JsonGenerator json, Column<R> column, List<R> rows)
      throws IOException {
    List<String> texts = rows.stream().map(column.absent()).toList();
    if (!texts.stream().allMatch(String::isEmpty)) {
      json.writeArrayFieldStart("absent");
      for (String text : texts) {
        json.writeString(text);
      }
      json.writeEndArray();
    }
  }

  /** The rows of which there may be more; left out if there are none. */
  private static <R> void least(JsonGenerator json, Column<R> column, List<R> rows)
      throws IOException {
    if (rows.stream().anyMatch(column::isAtLeast)) {
      json.writeArrayFieldStart("atLeast");
      for (int row = 0; row < rows.size(); row++) {
        if (column.isAtLeast(rows.get(row))) {
          json.writeNumber(row);
        }
      }
      json.writeEndArray();
    }
  }
}
