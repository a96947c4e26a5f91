package dev.kymo.query.engine;

import dev.kymo.analysis.costs.CorrectedTimes;
import dev.kymo.model.calls.Slice;
import dev.kymo.query.tables.RecordedTables;
import dev.kymo.query.tables.SqlTable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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

  /** Corrected times as {@link CorrectedTimes} has them for methods. */
  private static final String CALLS =
      """
      WITH c AS (
        SELECT *, finish - begin AS duration, %s AS inside, %s AS outside, %s AS spread
        FROM %s()),
      p AS (
        SELECT *, inside + below * (inside + outside) AS probes FROM c)
      SELECT process, thread, call, parent, method, depth, begin, finish, duration, self, children,
        below,
        greatest(0, round(duration - probes))::BIGINT AS corrected,
        greatest(0, round(self - inside - children * outside))::BIGINT AS corrected_self,
        least(duration, ceil(probes * (spread / (inside + outside) + ELSEWHERE)))::BIGINT
          AS corrected_within,
        %s
      FROM p
      """
          .replace("ELSEWHERE", Double.toString(CorrectedTimes.ELSEWHERE));

  private static final String STATES =
      """
      SELECT r.process, thread, %3$s AS kind, m.state, m.class AS category, depth, begin, finish,
        finish - begin AS duration, object, by_process, by_thread, %4$s
      FROM %1$s() r LEFT JOIN %2$s() m ON r.state = m.method
      """;

  private static final String EVENTS =
      """
      SELECT r.process, thread, time, event, k.subsystem, k.name, k.kind, data
      FROM %s() r LEFT JOIN %s() k USING (event)
      """;

  private static final String COUNTERS =
      """
      SELECT r.process, thread, time, event, k.name, value
      FROM %s() r LEFT JOIN %s() k USING (event)
      """;

  /** By name in small letters, because SQL does not tell them from others. */
  private final Map<String, View> views = new LinkedHashMap<>();

  /**
   * A view, in a group or in none.
   *
   * @param selects what it has of each recording
   */
  private record View(String group, String name, List<String> selects) {
    static View of(SqlTable table) {
      return new View(table.group(), table.name(), new ArrayList<>());
    }

    @Override
    public String toString() {
      return (group.isEmpty() ? "" : Database.name(group) + '.') + Database.name(name);
    }
  }

  Views() {}

  /** Adds a recording's table, whose rows a function gives. */
  void add(Database database, int number, String recording, SqlTable table, String from)
      throws SQLException {
    String select = select(database, table, number, from);
    View view = View.of(table);
    views
        .computeIfAbsent(view.toString().toLowerCase(Locale.ROOT), none -> view)
        .selects
        .add("SELECT %s AS recording, * FROM (%s)".formatted(Database.text(recording), select));
  }

  private static String select(Database database, SqlTable table, int number, String from)
      throws SQLException {
    String methods = Database.function("methods", number);
    String kinds = Database.function("event_kinds", number);
    String processes = Database.function("processes", number);
    return switch (table.group().isEmpty() ? table.name() : "") {
      case "calls" -> calls(database, processes, from);
      case "states", "waits" -> STATES.formatted(from, methods, kinds(), ENDS);
      case "events" -> EVENTS.formatted(from, kinds);
      case "counters" -> COUNTERS.formatted(from, kinds);
      default -> "FROM %s()".formatted(from);
    };
  }

  /** Makes the views that were added. */
  void create(Database database) throws SQLException {
    for (View view : views.values()) {
      if (!view.group().isEmpty()) {
        database.run("CREATE SCHEMA IF NOT EXISTS " + Database.name(view.group()));
      }
      database.run(
          "CREATE VIEW %s AS %s"
              .formatted(view, String.join(" UNION ALL BY NAME ", view.selects())));
    }
    views.clear();
  }

  /** A number of each process, in thousandths, as SQL; NULL = not known. */
  private static String cost(Map<Integer, Long> of) {
    StringBuilder cases = new StringBuilder("NULL::DOUBLE");
    of.forEach((process, picos) ->
        cases
            .insert(0, "CASE process WHEN %d THEN %d / 1000 ELSE ".formatted(process, picos))
            .append(" END"));
    return cases.toString();
  }

  /** The calls, with what their probes cost in nanoseconds. */
  private static String calls(Database database, String processes, String from)
      throws SQLException {
    Map<Integer, Long> inside = new LinkedHashMap<>();
    Map<Integer, Long> outside = new LinkedHashMap<>();
    Map<Integer, Long> spread = new LinkedHashMap<>();
    String known =
        "SELECT process, inside, outside, spread FROM %s() WHERE inside + outside > 0"
            .formatted(processes);
    try (Statement statement = database.connection().createStatement();
        ResultSet result = statement.executeQuery(known)) {
      while (result.next()) {
        inside.put(result.getInt(1), result.getLong(2));
        outside.put(result.getInt(1), result.getLong(3));
        spread.put(result.getInt(1), result.getLong(4));
      }
    }
    return CALLS.formatted(cost(inside), cost(outside), cost(spread), from, ENDS);
  }

  private static String kinds() {
    StringBuilder cases = new StringBuilder("CASE r.kind");
    for (int i = 0; i < RecordedTables.KINDS.size(); i++) {
      String word = RecordedTables.KINDS.get(i).name().toLowerCase(Locale.ROOT);
      cases.append(" WHEN ").append(i).append(" THEN ").append(Database.text(word));
    }
    return cases.append(" END").toString();
  }
}
