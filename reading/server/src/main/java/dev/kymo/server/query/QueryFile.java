package dev.kymo.server.query;

import com.sun.net.httpserver.HttpExchange;
import dev.kymo.query.library.Library;
import dev.kymo.query.library.ReadyQuestion;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.BadRequestException;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** {@code POST /api/query}: a program asks, and gets all rows. */
public final class QueryFile {
  private static final int MOST_SQL = 1 << 20;
  private static final int LONGEST_SECONDS = 24 * 3600;
  private static final int SECONDS = 600;
  private static final String SET = "set.";

  /** How an answer is written. */
  private enum Form {
    JSON(Question.What.JSON, "application/x-ndjson"),
    CSV(Question.What.CSV, "text/csv; charset=utf-8"),
    PARQUET(Question.What.PARQUET, "application/vnd.apache.parquet");

    private final Question.What what;
    private final String type;

    Form(Question.What what, String type) {
      this.what = what;
      this.type = type;
    }
  }

  private QueryFile() {}

  /** Answers with a file. */
  public static void answer(HttpExchange exchange, QueryDesk desk, Query query) throws IOException {
    Form form = form(query);
    String sql = sql(exchange, query);
    long from = QueryAnswer.from(query);
    long to = QueryAnswer.to(query, from);
    int seconds =
        query.has("seconds") ? (int) query.number("seconds", 1, LONGEST_SECONDS) : SECONDS;
    QueryDesk.Asked asked = new QueryDesk.Asked(from, to, form.what, sql);
    QueryDesk.Answer answer = desk.ask(asked, seconds);
    try (InputStream file = answer.file()) {
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.getResponseHeaders().set("Kymo-Gaps", Long.toString(answer.losses()));
      exchange.getResponseHeaders().set("Content-Type", form.type);
      exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
      exchange.sendResponseHeaders(200, answer.size() == 0 ? -1 : answer.size());
      file.transferTo(exchange.getResponseBody());
    }
    exchange.close();
  }

  /** The body, or a ready question. */
  private static String sql(HttpExchange exchange, Query query) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MOST_SQL + 1);
    if (!query.has("question")) {
      String sql = new String(body, StandardCharsets.UTF_8);
      if (body.length > MOST_SQL || sql.isBlank()) {
        throw new BadRequestException(
            "The body must be a question in SQL: bytes="
                + body.length
                + ", at most "
                + MOST_SQL
                + '.');
      }
      return sql;
    }
    ReadyQuestion question =
        Library.find(query.text("question"))
            .orElseThrow(() ->
                new BadRequestException(
                    "There is no ready question of this name: question="
                        + query.text("question")
                        + '.'));
    Map<String, String> values = new TreeMap<>();
    query.startingWith(SET).forEach((name, value) -> values.put(name, value));
    try {
      return question.sql(values);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException("Wrong parameter: " + e.getMessage() + '.');
    }
  }

  private static Form form(Query query) {
    String word = query.has("format") ? query.text("format") : "json";
    return Stream.of(Form.values())
        .filter(form -> form.name().toLowerCase(Locale.ROOT).equals(word))
        .findAny()
        .orElseThrow(
            () -> new BadRequestException("Neither json, csv nor parquet: format=" + word + '.'));
  }

  /** Sends the description of what programs may ask. */
  public static void describe(HttpExchange exchange) throws IOException {
    try (InputStream in = QueryFile.class.getResourceAsStream("openapi.yaml")) {
      if (in == null) {
        throw new IllegalStateException("the installation is incomplete: missing=openapi.yaml");
      }
      Answers.send(exchange, 200, "application/yaml", in.readAllBytes());
    }
  }
}
