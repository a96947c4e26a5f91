package dev.kymo.server.query;

import com.sun.net.httpserver.HttpExchange;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.query.ask.Questions;
import dev.kymo.query.library.Library;
import dev.kymo.query.library.ReadyQuestion;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.BadRequestException;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;

/** {@code POST /api/query}: a program asks, and gets all rows. */
public final class QueryFile {
  private static final int MOST_SQL = 1 << 20;
  private static final int LONGEST_SECONDS = 24 * 3600;
  private static final int SECONDS = 600;
  private static final String SET = "set.";

  private QueryFile() {}

  /** An answer, whose file is gone already. */
  private record Written(InputStream file, long size, long gaps) {}

  /** Answers with a file. */
  public static void answer(HttpExchange exchange, QueryDesk desk, Query query) throws IOException {
    Questions.Form form = form(query);
    String sql = sql(exchange, query);
    long from = QueryAnswer.from(query);
    long to = QueryAnswer.to(query, from);
    int seconds =
        query.has("seconds") ? (int) query.number("seconds", 1, LONGEST_SECONDS) : SECONDS;
    Written written = write(desk, sql, form, from, to, seconds);
    try (InputStream file = written.file()) {
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.getResponseHeaders().set("Kymo-Gaps", Long.toString(written.gaps()));
      exchange.getResponseHeaders().set("Content-Type", type(form));
      exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
      exchange.sendResponseHeaders(200, written.size() == 0 ? -1 : written.size());
      file.transferTo(exchange.getResponseBody());
    }
    exchange.close();
  }

  private static Written write(
      QueryDesk desk, String sql, Questions.Form form, long from, long to, int seconds) {
    Progress progress = new Progress();
    Thread limit = Thread.ofVirtual().name("kymo-query-limit").start(() -> end(progress, seconds));
    try {
      return desk.ask(
          from,
          to,
          progress,
          session -> {
            Path file = session.scratch().path().resolve("answer");
            try {
              session.questions().write(sql, file, form);
              return new Written(Files.newInputStream(file), Files.size(file), session.losses());
            } finally {
              Files.deleteIfExists(file); // what is open can be read on
            }
          });
    } catch (CancellationException e) {
      throw new BadRequestException(
          "The question took too long: seconds=" + seconds + ", a parameter; at most 86400.");
    } finally {
      limit.interrupt();
    }
  }

  private static void end(Progress progress, int seconds) {
    try {
      Thread.sleep(Duration.ofSeconds(seconds));
      progress.giveUp();
    } catch (InterruptedException e) {
      // answered in time
    }
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

  private static Questions.Form form(Query query) {
    String word = query.has("format") ? query.text("format") : "json";
    for (Questions.Form form : Questions.Form.values()) {
      if (form.name().toLowerCase(Locale.ROOT).equals(word)) {
        return form;
      }
    }
    throw new BadRequestException("Neither json, csv nor parquet: format=" + word + '.');
  }

  private static String type(Questions.Form form) {
    return switch (form) {
      case PARQUET -> "application/vnd.apache.parquet";
      case CSV -> "text/csv; charset=utf-8";
      case JSON -> "application/x-ndjson";
    };
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
