package dev.kymo.cli.query.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jline.reader.Completer;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/** Questions typed by somebody, with history and completion; Ctrl-C does not end it. */
public final class TerminalLines implements Lines {
  private static final int HISTORY = 1000;

  private final Terminal terminal;
  private final LineReader reader;

  /** Takes over the terminal. */
  public TerminalLines(Completer completer) throws IOException {
    terminal = TerminalBuilder.builder().system(true).nativeSignals(true).build();
    LineReaderBuilder builder =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("kymo")
            .completer(completer)
            .parser(new WholeQuestions())
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.CASE_INSENSITIVE, true)
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "   -> ")
            .variable(LineReader.INDENTATION, 0)
            .variable(LineReader.HISTORY_SIZE, HISTORY);
    Path history = history();
    if (history != null) {
      builder.variable(LineReader.HISTORY_FILE, history);
    }
    reader = builder.build();
  }

  /** File with what was asked before; null if there cannot be one. */
  private static @Nullable Path history() {
    String state = System.getenv("XDG_STATE_HOME");
    Path directory =
        state == null || state.isEmpty() || !Path.of(state).isAbsolute()
            ? Path.of(System.getProperty("user.home"), ".local", "state", "kymo")
            : Path.of(state, "kymo");
    try {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      return directory.resolve("questions");
    } catch (IOException e) {
      return null; // then it is forgotten at the end
    }
  }

  /** A question goes on until its semicolon. */
  private static final class WholeQuestions extends DefaultParser {
    WholeQuestions() {
      setEscapeChars(new char[0]);
      setQuoteChars(new char[0]);
    }

    @Override
    public ParsedLine parse(String line, int cursor, Parser.ParseContext context) {
      if (context == Parser.ParseContext.ACCEPT_LINE && !Lines.isWhole(line)) {
        throw new EOFError(-1, -1, "a question ends with a semicolon");
      }
      return super.parse(line, cursor, context);
    }

    @Override
    public boolean isDelimiterChar(CharSequence buffer, int at) {
      char letter = buffer.charAt(at);
      return !Character.isLetterOrDigit(letter) && letter != '_' && letter != '.';
    }
  }

  @Override
  public @Nullable String next() {
    while (true) {
      try {
        return reader.readLine("kymo> ").strip();
      } catch (UserInterruptException e) {
        // Ctrl-C: another line
      } catch (EndOfFileException e) {
        return null;
      }
    }
  }

  @Override
  public void during(Runnable cancel, Runnable work) {
    Terminal.SignalHandler before = terminal.handle(Terminal.Signal.INT, signal -> cancel.run());
    try {
      work.run();
    } finally {
      terminal.handle(Terminal.Signal.INT, before);
    }
  }

  @Override
  public void close() throws IOException {
    terminal.close();
  }
}
