package dev.kymo.cli.query.shell;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.query.ask.Questions;
import dev.kymo.query.library.Library;
import dev.kymo.query.library.ReadyQuestion;
import dev.kymo.session.UsageException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The commands of the shell, which begin with a dot. */
final class ShellCommands {
  static final List<String> NAMES =
      List.of(".tables", ".columns", ".questions", ".question", ".format", ".help", ".quit");

  private static final String HELP =
      """
      SELECT ...;               a question; it ends with a semicolon and may have several lines
      .tables                   the tables
      .columns TABLE            the columns of a table, with their types and units
      .questions                the ready questions with their parameters
      .question NAME [P=V ...]  asks one
      .format table|csv|json    how answers are written
      .quit                     ends, as Ctrl-D does; Ctrl-C ends a question
      """;

  private final Terminal terminal;
  private final Map<String, List<Questions.ColumnText>> tables;

  ShellCommands(Terminal terminal, Map<String, List<Questions.ColumnText>> tables) {
    this.terminal = terminal;
    this.tables = tables;
  }

  void help() {
    terminal.lines(HELP);
  }

  void tables() {
    tables.keySet().forEach(terminal::line);
  }

  void columns(String table) {
    List<Questions.ColumnText> columns = tables.get(table);
    if (columns == null) {
      throw new UsageException("there is no such table: %s; .tables shows them".formatted(table));
    }
    if (columns.isEmpty()) {
      throw new UsageException(
          "only Spark knows its columns: SELECT * FROM %s LIMIT 1 shows them".formatted(table));
    }
    columns.forEach(column ->
        terminal.line(
            "%-18s %-9s %s"
                .formatted(column.name(), column.type(), column.meaning())
                .stripTrailing()));
  }

  /** The SQL of a ready question, of {@code NAME PARAMETER=VALUE ...}. */
  static String question(String words) {
    List<String> parts = Arrays.asList(words.strip().split("\\s+"));
    Map<String, String> values = new LinkedHashMap<>();
    for (String part : parts.subList(1, parts.size())) {
      int equals = part.indexOf('=');
      if (equals < 0) {
        throw new UsageException("not PARAMETER=VALUE: " + part);
      }
      values.put(part.substring(0, equals), part.substring(equals + 1));
    }
    ReadyQuestion question =
        Library.find(parts.getFirst())
            .orElseThrow(() ->
                new UsageException(
                    "there is no ready question of this name: %s; .questions shows them"
                        .formatted(parts.getFirst())));
    try {
      return question.sql(values);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
