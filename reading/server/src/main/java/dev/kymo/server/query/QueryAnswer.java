package dev.kymo.server.query;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.query.ask.Questions;
import dev.kymo.query.library.Library;
import dev.kymo.query.library.Parameter;
import dev.kymo.query.library.ReadyQuestion;
import dev.kymo.server.http.BadRequestException;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/query} and {@code /api/questions}: questions in SQL, and what helps to write them.
 */
public final class QueryAnswer {
  /** So many rows are shown. */
  private static final int ROWS = 10_000;

  /** All texts of an answer together, characters. */
  private static final long TEXT = 32 << 20;

  private static final int MOST_SQL = 100_000;

  /** Larger numbers are not exact in a browser. */
  private static final long EXACT = 1L << 53;

  private static final long MAX_TIME = Long.MAX_VALUE / 2;

  private QueryAnswer() {}

  private record Shown(String name, String type) {}

  /** Rows of an answer, as far as they are shown. */
  private static final class Taken implements Questions.Taker {
    final List<Shown> columns = new ArrayList<>();
    final List<@Nullable Object[]> rows = new ArrayList<>();
    boolean more;
    private long text;

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
  }

  /** The answer to a question. */
  public static Jobs.Work of(QueryDesk desk, Query query) {
    String sql = query.text("sql");
    if (sql.length() > MOST_SQL) {
      throw new BadRequestException("Too long: sql=" + sql.length() + " characters.");
    }
    long from = from(query);
    long to = to(query, from);
    return progress ->
        desk.ask(
            from,
            to,
            progress,
            session -> {
              Taken taken = new Taken();
              session.questions().ask(sql, taken);
              return json -> write(json, taken, session.losses());
            });
  }

  static long from(Query query) {
    return query.has("from") ? query.number("from", 0, MAX_TIME) : 0;
  }

  static long to(Query query, long from) {
    return query.has("to") ? query.number("to", from, MAX_TIME) : Long.MAX_VALUE;
  }

  private static void write(JsonGenerator json, Taken taken, long losses) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("columns");
    for (Shown column : taken.columns) {
      json.writeStartObject();
      json.writeStringField("name", column.name());
      json.writeStringField("type", column.type());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("rows");
    for (@Nullable Object[] row : taken.rows) {
      json.writeStartArray();
      for (Object value : row) {
        json.writePOJO(value);
      }
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeBooleanField("more", taken.more);
    json.writeNumberField("gaps", losses);
    json.writeEndObject();
  }

  /** The ready questions, the tables and the functions. */
  public static Jobs.Work help(QueryDesk desk) {
    return progress ->
        desk.ask(
            0,
            Long.MAX_VALUE,
            progress,
            session -> {
              Map<String, List<Questions.ColumnText>> tables = session.questions().tables();
              return json -> writeHelp(json, tables);
            });
  }

  private static void writeHelp(JsonGenerator json, Map<String, List<Questions.ColumnText>> tables)
      throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("questions");
    for (ReadyQuestion question : Library.all()) {
      json.writeStartObject();
      json.writeStringField("name", question.name());
      json.writeStringField("description", question.description());
      json.writeStringField("sql", question.sql(Map.of()).strip());
      json.writeArrayFieldStart("parameters");
      for (Parameter parameter : question.parameters()) {
        json.writeStartObject();
        json.writeStringField("name", parameter.name());
        json.writeStringField("kind", parameter.kind().name().toLowerCase(Locale.ROOT));
        json.writeStringField("initial", parameter.initial());
        json.writeStringField("meaning", parameter.meaning());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeObjectFieldStart("tables");
    for (Map.Entry<String, List<Questions.ColumnText>> table : tables.entrySet()) {
      json.writeArrayFieldStart(table.getKey());
      for (Questions.ColumnText column : table.getValue()) {
        json.writeString(column.name());
      }
      json.writeEndArray();
    }
    json.writeEndObject();
    json.writeArrayFieldStart("functions");
    for (Questions.FunctionText function : Questions.functions()) {
      json.writeStartObject();
      json.writeStringField("call", function.call());
      json.writeStringField("meaning", function.meaning());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
