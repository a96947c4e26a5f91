package dev.kymo.cli.mcp;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.cli.terminal.Csv;
import dev.kymo.query.ask.CancelWatch;
import dev.kymo.query.ask.Questions;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Questions in SQL. */
final class QueryTool implements Tool {
  @Override
  public String name() {
    return "query";
  }

  @Override
  public int seconds() {
    return 60;
  }

  @Override
  public String description() {
    return "Answers a question in SQL (DuckDB's) about the recording, as CSV. Main tables: calls"
        + " (process, thread, call, parent, method, depth, begin, finish, duration, self), methods"
        + " (method, name), threads (process, thread, name), waits and states (process, thread, state,"
        + " category, begin, finish, duration, by_process, by_thread), events, counters, messages,"
        + " gaps; a table SUBSYSTEM.EVENT for each of the program's events; 'tables' has all columns."
        + " Join methods by (recording, method), threads by (recording, process, thread). Times are"
        + " nanoseconds since the recording's begin.";
  }

  @Override
  public List<Argument> arguments() {
    return List.of(
        new Argument("sql", "string", true, "the question"),
        Argument.number("rows", "rows at most, up to 10000; default: 100"));
  }

  @Override
  public Answer answer(OpenRecording recording, Given given, Progress progress)
      throws IOException, SQLException {
    int most = (int) given.number("rows", 100, 1, 10_000);
    Questions questions = recording.questions(progress);
    Rows rows = new Rows(most);
    try (CancelWatch _ = new CancelWatch(questions, progress)) {
      questions.ask(given.text("sql").orElse(""), rows);
    }
    return Answer.of(rows.text() + losses(recording, progress));
  }

  /** An answer from what is left after a loss is a lower bound. */
  private static String losses(OpenRecording recording, Progress progress) throws IOException {
    long gaps = recording.source(progress).losses();
    return gaps == 0
        ? ""
        : "(events were lost, numbers are at least what they seem: gaps=%d; table gaps has them)\n"
            .formatted(gaps);
  }

  private static final class Rows implements Questions.Taker {
    private final int most;
    private final StringBuilder text = new StringBuilder();
    private int columns;
    private int rows;
    private boolean more;

    Rows(int most) {
      this.most = most;
    }

    @Override
    public void columns(ResultSet answer) throws SQLException {
      ResultSetMetaData about = answer.getMetaData();
      columns = about.getColumnCount();
      List<String> names = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        names.add(about.getColumnLabel(i));
      }
      text.append(Csv.line(names.toArray())).append('\n');
    }

    @Override
    public boolean row(ResultSet answer) throws SQLException {
      if (rows == most || text.length() > Written.MOST) {
        more = true;
        return false;
      }
      rows++;
      List<String> values = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        String value = answer.getString(i);
        values.add(value == null ? "" : begin(value));
      }
      text.append(Csv.line(values.toArray())).append('\n');
      return true;
    }

    /** A single cell can be larger than an answer may be. */
    private static String begin(String value) {
      return value.length() <= Written.MOST
          ? value
          : value.substring(0, Written.MOST)
              + "... (cut: about %d more characters)".formatted(value.length() - Written.MOST);
    }

    String text() {
      String note =
          more
              ? "(cut after %d rows, there are more; sum up, use LIMIT and OFFSET, or give more rows)\n"
                  .formatted(rows)
              : "(%d row%s)\n".formatted(rows, rows == 1 ? "" : "s");
      return text + note;
    }
  }
}
