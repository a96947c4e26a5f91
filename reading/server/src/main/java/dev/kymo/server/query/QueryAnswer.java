package dev.kymo.server.query;

import dev.kymo.server.http.BadRequestException;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * {@code /api/query} and {@code /api/questions}: questions in SQL, and what helps to write them.
 */
public final class QueryAnswer {
  private static final int MOST_SQL = 100_000;
  private static final long MAX_TIME = Long.MAX_VALUE / 2;

  private QueryAnswer() {}

  /** The answer to a question. */
  public static Jobs.Work of(QueryDesk desk, Query query) {
    String sql = query.text("sql");
    if (sql.length() > MOST_SQL) {
      throw new BadRequestException("Too long: sql=" + sql.length() + " characters.");
    }
    long from = from(query);
    return work(desk, new QueryDesk.Asked(from, to(query, from), Question.What.ROWS, sql));
  }

  static long from(Query query) {
    return query.has("from") ? query.number("from", 0, MAX_TIME) : 0;
  }

  static long to(Query query, long from) {
    return query.has("to") ? query.number("to", from, MAX_TIME) : Long.MAX_VALUE;
  }

  /** The ready questions, the tables and the functions. */
  public static Jobs.Work help(QueryDesk desk) {
    return work(desk, new QueryDesk.Asked(0, Long.MAX_VALUE, Question.What.TABLES, ""));
  }

  /** It takes any time, as long as somebody waits. */
  private static Jobs.Work work(QueryDesk desk, QueryDesk.Asked asked) {
    return progress -> {
      try (InputStream answer = desk.ask(asked, progress).file()) {
        String json = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        return out -> out.writeRawValue(json);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }
}
