package dev.kymo.server.query;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.query.ask.Questions;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of an answer, as far as they are shown. */
final class QueryRows implements Questions.Taker {
  /** So many rows are shown. */
  private static final int ROWS = 10_000;

  /** All texts of an answer together, characters. */
  private static final long TEXT = 32 << 20;

  /** Larger numbers are not exact in a browser. */
  private static final long EXACT = 1L << 53;

  private final List<Shown> columns = new ArrayList<>();
  private final List<@Nullable Object[]> rows = new ArrayList<>();
  private boolean more;
  private long text;

  private record Shown(String name, String type) {}

  @Override
  public void columns(ResultSet answer) throws SQLException {
    ResultSetMetaData about = answer.getMetaData();
    for (int i = 1; i <= about.getColumnCount(); i++) {
      columns.add(new Shown(about.getColumnLabel(i), about.getColumnTypeName(i)));
    }
  }

  @Override
  public boolean row(ResultSet answer) throws SQLException {
    if (rows.size() == ROWS || text > TEXT) {
      more = true;
      return false;
    }
    @Nullable Object[] row = new @Nullable Object[columns.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = value(answer, i + 1);
      text += row[i] instanceof String words ? words.length() : 0;
    }
    rows.add(row);
    return true;
  }

  private static @Nullable Object value(ResultSet answer, int column) throws SQLException {
    Object value = answer.getObject(column);
    return switch (value) {
      case null -> null;
      case Boolean yes -> yes;
      case Integer number -> number.longValue();
      case Long number when Math.abs(number) <= EXACT -> number;
      case Double number when Double.isFinite(number) -> number;
      default -> answer.getString(column);
    };
  }

  /** Writes them. */
  void write(JsonGenerator json, long losses) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("columns");
    for (Shown column : columns) {
      json.writeStartObject();
      json.writeStringField("name", column.name());
      json.writeStringField("type", column.type());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("rows");
    for (@Nullable Object[] row : rows) {
      json.writeStartArray();
      for (Object value : row) {
        json.writePOJO(value);
      }
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeBooleanField("more", more);
    json.writeNumberField("gaps", losses);
    json.writeEndObject();
  }
}
