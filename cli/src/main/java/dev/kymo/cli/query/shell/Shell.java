package dev.kymo.cli.query.shell;

import dev.kymo.cli.query.spark.NoAnswerException;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.query.ask.Questions;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers one question after the other. */
public final class Shell {
  private final Terminal terminal;
  private final Asker asker;
  private final ShellCommands commands;
  private boolean failed;

  /** Writes answers, ready questions, and what went wrong. */
  public interface Asker {
    void ask(String sql) throws SQLException, NoAnswerException;

    /** Ends the question that is being answered. */
    void cancel() throws SQLException;

    /** How answers are written from now on. */
    void format(String name);

    /** Lists the ready questions. */
    void questions();

    /** The SQL of a ready question, of {@code NAME PARAMETER=VALUE ...}. */
    String question(String words);

    /** Reports why there is no answer. */
    void tell(SQLException error);
  }

  /** For recordings that are open. */
  public Shell(Terminal terminal, Map<String, List<Questions.ColumnText>> tables, Asker asker) {
    this.terminal = terminal;
    this.asker = asker;
    this.commands = new ShellCommands(terminal, tables);
  }

  /** Answers until there are no more; returns whether all were answered. */
  public boolean run(Lines lines) throws IOException {
    for (String text = lines.next(); text != null && !quits(text); text = lines.next()) {
      String asked = text;
      lines.during(this::cancel, () -> answer(asked));
      terminal.flush();
    }
    return !failed;
  }

  /** The SQL of a ready question, of {@code NAME PARAMETER=VALUE ...}. */
  public static String question(String words) {
    return ShellCommands.question(words);
  }

  private static boolean quits(String text) {
    return text.equals(".quit") || text.equals(".exit");
  }

  private void cancel() {
    try {
      asker.cancel();
    } catch (SQLException e) {
      asker.tell(e);
    }
  }

  private void answer(String text) {
    try {
      String sql = text.startsWith(".") ? command(text) : text;
      if (sql != null && !sql.replace(";", "").isBlank()) {
        asker.ask(sql);
      }
    } catch (SQLException e) {
      failed = true;
      terminal.flush();
      asker.tell(e);
    } catch (NoAnswerException e) {
      failed = true;
      terminal.flush();
      e.reason().forEach(terminal::warn);
    } catch (UsageException e) {
      failed = true;
      terminal.flush();
      terminal.warn(String.valueOf(e.getMessage()));
    }
  }

  /** Runs a command; returns the question that it stands for, if it does. */
  private @Nullable String command(String text) {
    String[] parts = text.replaceFirst(";\\s*$", "").split("\\s+", 2);
    String rest = parts.length > 1 ? parts[1].strip() : "";
    switch (parts[0]) {
      case ".help" -> commands.help();
      case ".tables" -> commands.tables();
      case ".columns" -> commands.columns(rest);
      case ".questions" -> asker.questions();
      case ".format" -> asker.format(rest);
      case ".question" -> {
        return asker.question(rest);
      }
      default ->
          throw new UsageException(
              "there is no such command: %s; .help shows them".formatted(parts[0]));
    }
    return null;
  }
}
