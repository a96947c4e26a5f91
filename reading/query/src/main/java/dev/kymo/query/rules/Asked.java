package dev.kymo.query.rules;

import dev.kymo.query.ask.Questions;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Judges rules in SQL: each row of the answer is a violation. Some columns say where it is. */
final class Asked {
  /** More rows need not be counted. */
  private static final int ENOUGH = 100_000;

  private static final Set<String> PLACE =
      Set.of("recording", "process", "thread", "depth", "begin", "time", "finish", "duration");

  private final Evidence evidence;
  private final int most;

  Asked(Evidence evidence, int most) {
    this.evidence = evidence;
    this.most = most;
  }

  RuleVerdict judge(String sql) throws SQLException {
    Rows rows = new Rows();
    evidence.questions().ask(sql, rows);
    if (rows.names.isEmpty()) {
      return RuleVerdict.failed("it is no question: it has no rows");
    }
    if (rows.count > 0) {
      String more = rows.count > ENOUGH ? "more than " : "";
      long count = Math.min(rows.count, ENOUGH);
      return RuleVerdict.violated(
          "%s%d row%s".formatted(more, count, count == 1 ? "" : "s"), rows.violations);
    }
    Evidence.Loss loss = evidence.loss(Scope.ALL, kind -> true);
    return loss.isNone() ? RuleVerdict.ok("") : RuleVerdict.unknown("no rows, but " + loss.words());
  }

  private final class Rows implements Questions.Taker {
    private final List<String> names = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();
    private long count;

    @Override
    public void columns(ResultSet answer) throws SQLException {
      ResultSetMetaData about = answer.getMetaData();
      for (int i = 1; i <= about.getColumnCount(); i++) {
        names.add(about.getColumnLabel(i).toLowerCase(Locale.ROOT));
      }
    }

    @Override
    public boolean row(ResultSet answer) throws SQLException {
      count++;
      if (violations.size() < most) {
        violations.add(violation(answer));
      }
      return count <= ENOUGH;
    }

    private Violation violation(ResultSet answer) throws SQLException {
      List<String> words = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        if (!PLACE.contains(names.get(i))) {
          words.add(names.get(i) + "=" + answer.getString(i + 1));
        }
      }
      long begin = number(answer, "begin", number(answer, "time", -1));
      long duration = Math.max(0, number(answer, "duration", 0));
      int process = (int) number(answer, "process", 0);
      int thread = (int) number(answer, "thread", 0);
      return new Violation(
          process,
          thread,
          evidence.name(process, thread),
          (int) number(answer, "depth", -1),
          begin,
          number(answer, "finish", begin < 0 ? -1 : begin + duration),
          String.join(" ", words));
    }

    /** What a column has; otherwise if there is none, or no number in it. */
    private long number(ResultSet answer, String column, long otherwise) throws SQLException {
      int at = names.indexOf(column);
      return at >= 0 && answer.getObject(at + 1) instanceof Number number
          ? number.longValue()
          : otherwise;
    }
  }
}
