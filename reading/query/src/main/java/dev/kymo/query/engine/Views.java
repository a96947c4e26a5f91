package dev.kymo.query.engine;

import dev.kymo.model.calls.Slice;
import dev.kymo.query.tables.RecordedTables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/** The tables as users see them: with names and words instead of numbers where that is cheap. */
final class Views {
  private static final String ENDS =
      """
      (flags & %d) != 0 AS at_least,
      (flags & %d) != 0 AS begin_unknown,
      (flags & %d) != 0 AS end_unknown,
      (flags & %d) != 0 AS end_inferred,
      (flags & %d) != 0 AS unwound
      """
          .formatted(
              Slice.LOSSY, Slice.OPEN_BEGIN, Slice.OPEN_END, Slice.INFERRED_END, Slice.UNWOUND);

  /** Corrected times as docs/truth.md has them for methods; 0.3 = probes cost more elsewhere. */
  private static final String CALLS =
      """
      CREATE VIEW calls AS
      WITH c AS (
        SELECT *, finish - begin AS duration, %s AS inside, %s AS outside, %s AS spread
        FROM recorded_calls()),
      p AS (
        SELECT *, inside + below * (inside + outside) AS probes FROM c)
      SELECT process, thread, call, parent, method, depth, begin, finish, duration, self, children,
        below,
        greatest(0, round(duration - probes))::BIGINT AS corrected,
        greatest(0, round(self - inside - children * outside))::BIGINT AS corrected_self,
        least(duration, ceil(probes * (spread / (inside + outside) + 0.3)))::BIGINT
          AS corrected_within,
        %s
      FROM p
      """;

  private static final String STATES =
      """
      CREATE VIEW %1$s AS
      SELECT r.process, thread, %2$s AS kind, m.state, m.class AS category, depth, begin, finish,
        finish - begin AS duration, object, by_process, by_thread, %3$s
      FROM recorded_%1$s() r LEFT JOIN recorded_methods() m ON r.state = m.method
      """;

  private static final String EVENTS =
      """
      CREATE VIEW events AS
      SELECT r.process, thread, time, event, k.subsystem, k.name, k.kind, data
      FROM recorded_events() r LEFT JOIN recorded_event_kinds() k USING (event)
      """;

  private static final String COUNTERS =
      """
      CREATE VIEW counters AS
      SELECT r.process, thread, time, event, k.name, value
      FROM recorded_counters() r LEFT JOIN recorded_event_kinds() k USING (event)
      """;

  private Views() {}

  static void create(Database database) throws SQLException {
    for (String plain :
        new String[] {
          "processes",
          "threads",
          "methods",
          "event_kinds",
          "counted",
          "messages",
          "gaps",
          "notices",
          "facts",
          "kernel_events"
        }) {
      database.run("CREATE VIEW %1$s AS FROM recorded_%1$s()".formatted(plain));
    }
    database.run(
        CALLS.formatted(
            cost(database, "inside"), cost(database, "outside"), cost(database, "spread"), ENDS));
    database.run(STATES.formatted("states", kinds(), ENDS));
    database.run(STATES.formatted("waits", kinds(), ENDS));
    database.run(EVENTS);
    database.run(COUNTERS);
  }

  /** What a call's probes cost, by process, in nanoseconds; NULL = not known. */
  private static String cost(Database database, String which) throws SQLException {
    StringBuilder cases = new StringBuilder("NULL::DOUBLE");
    String known =
        "SELECT process, %1$s FROM processes WHERE inside + outside > 0".formatted(which);
    try (Statement statement = database.connection().createStatement();
        ResultSet result = statement.executeQuery(known)) {
      while (result.next()) {
        String when = "CASE process WHEN %d THEN %d / 1000 ELSE ";
        cases.insert(0, when.formatted(result.getInt(1), result.getLong(2))).append(" END");
      }
    }
    return cases.toString();
  }

  private static String kinds() {
    StringBuilder cases = new StringBuilder("CASE r.kind");
    for (int i = 0; i < RecordedTables.KINDS.size(); i++) {
      String word = RecordedTables.KINDS.get(i).name().toLowerCase(Locale.ROOT);
      cases.append(" WHEN ").append(i).append(" THEN ").append(Database.quoted(word));
    }
    return cases.append(" END").toString();
  }
}
