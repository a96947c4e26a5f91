package dev.kymo.server.query;

import dev.kymo.server.http.Query;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What {@link QueryDesk} asks of {@link QueryWorker}.
 *
 * @param stretch that is asked about
 * @param what is wanted
 * @param sql the question; empty for {@link What#TABLES}
 */
record Question(Stretch stretch, What what, String sql) {
  private static final long MAX = Long.MAX_VALUE;

  /**
   * A stretch of a recording.
   *
   * @param name of the recording in the column {@code recording}
   * @param edition which one it is of those that have had this directory
   * @param from begin, nanoseconds since the recording's begin
   * @param to end, the same
   * @param length of the recording then; it may grow
   */
  record Stretch(Path directory, String name, int edition, long from, long to, long length) {}

  /** What is wanted. */
  enum What {
    /** Rows to be shown, as JSON. */
    ROWS,
    /** The tables and their columns, as JSON. */
    TABLES,
    CSV,
    JSON,
    PARQUET
  }

  /** As a line. */
  String line() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("directory", stretch.directory().toUri().toString());
    values.put("name", stretch.name());
    values.put("edition", Integer.toString(stretch.edition()));
    values.put("from", Long.toString(stretch.from()));
    values.put("to", Long.toString(stretch.to()));
    values.put("length", Long.toString(stretch.length()));
    values.put("what", what.name());
    values.put("sql", sql);
    return Question.line(values);
  }

  static Question of(String line) {
    Query values = Query.of(line);
    Stretch stretch =
        new Stretch(
            Path.of(URI.create(values.text("directory"))),
            values.text("name"),
            (int) values.number("edition", 0, Integer.MAX_VALUE),
            values.number("from", 0, MAX),
            values.number("to", 0, MAX),
            values.number("length", 0, MAX));
    return new Question(stretch, What.valueOf(values.text("what")), values.text("sql"));
  }

  /** Names and values as a line. */
  static String line(Map<String, String> values) {
    return values.entrySet().stream()
        .map(each ->
            each.getKey() + '=' + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }
}
