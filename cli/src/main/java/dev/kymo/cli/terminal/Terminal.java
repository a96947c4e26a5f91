package dev.kymo.cli.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import dev.kymo.exporters.csv.CsvCells;
import dev.kymo.model.calls.ProgressListener;
import java.io.Console;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a command's output and messages go. Output is UTF-8; it ends the command when nobody reads
 * it, or it cannot be written. Names in it come from recorded programs: the only way to the output
 * is through {@link Printable}, so that no command can forget it.
 */
public final class Terminal {
  private final OutputWriter out;
  private final PrintStream raw;
  private final PrintableStream err;
  private final Cleanup cleanup = new Cleanup();
  private final List<Runnable> watched = new ArrayList<>();
  private ProgressListener listener = ProgressListener.NONE;
  private CsvCells cells = CsvCells.PLAIN;

  public Terminal(OutputStream out, PrintStream err) {
    this.out = new OutputWriter(out);
    this.raw = err;
    this.err = PrintableStream.of(err);
  }

  /** For help: it has no names of recorded programs, but may have colours. */
  public PrintWriter helpWriter() {
    return new PrintWriter(out);
  }

  /** Writes one line, whatever is in the text. */
  public void line(String text) {
    write(Printable.of(text));
    write("\n");
  }

  /** Writes a row of comma-separated values; only quoted values may contain line ends. */
  public void csv(Object... values) {
    text(Csv.line(cells, values) + "\n");
  }

  /** How cells of comma-separated values are written. */
  public CsvCells cells() {
    return cells;
  }

  /** Writes cells of this kind from now on. */
  public void cells(CsvCells kind) {
    cells = kind;
  }

  /** For many lines with the same parts. Until it is flushed, nothing else may be written. */
  public NumberedLines numberedLines(int width) {
    return new NumberedLines(out, width);
  }

  /** Writes lines. */
  public void lines(String text) {
    text.lines().forEach(this::line);
  }

  /** Writes lines with their ends, or a part of one. */
  public void text(CharSequence text) {
    write(Printable.lines(text));
  }

  private void write(CharSequence text) {
    try {
      out.append(text); // unchanged, as it has come through Printable
    } catch (IOException e) {
      throw new OutputException(e); // the writer throws its own exceptions for errors of the output
    }
  }

  public void flush() {
    out.flush();
  }

  /** One JSON document, for people to read too. */
  public JsonGenerator json() throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(new TextWriter());
    json.setPrettyPrinter(new DefaultPrettyPrinter());
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
    return json;
  }

  /** One JSON object a line. */
  public JsonGenerator jsonLines() throws IOException {
    JsonGenerator json = json();
    json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
    return json;
  }

  /** Takes text in pieces. */
  private final class TextWriter extends Writer {
    @Override
    public void write(char[] chars, int from, int length) {
      text(CharBuffer.wrap(chars, from, length));
    }

    @Override
    public void write(String text, int from, int length) {
      text(CharBuffer.wrap(text, from, from + length));
    }

    @Override
    public void flush() {
      Terminal.this.flush();
    }

    @Override
    public void close() {
      flush();
    }
  }

  /** Something the user should know that is not the answer. */
  public void warn(String text) {
    err.println("kymo: " + text);
  }

  /** The same of a text that begins with the place it is about, as compilers have it. */
  public void warnPlainly(String text) {
    err.println(text);
  }

  /**
   * Oddities in a recording that the command reads are reported at the command's end, next to its
   * answer, so that people know how reliable the answer is.
   */
  public void watch(Path recording, Supplier<List<String>> oddities) {
    watched.add(() -> {
      List<String> odd = oddities.get();
      if (!odd.isEmpty()) {
        warn(
            "recording is damaged, what cannot be read is missing here: path=%s oddities=%d first=\"%s\"; 'kymo info' lists them"
                .formatted(recording, odd.size(), odd.getFirst()));
      }
    });
  }

  /** Ends the command: writes everything, and reports oddities. */
  public void end() {
    flush();
    watched.forEach(Runnable::run);
    watched.clear();
  }

  /** What is to be undone when the command ends. */
  public Cleanup cleanup() {
    return cleanup;
  }

  /** Tells somebody else the progress of all work, if there is no person. */
  public void tellProgress(ProgressListener of) {
    listener = of;
  }

  /** Shows progress to a person. */
  public ProgressListener progress(String what) {
    return hasPerson() ? new ProgressLine(raw, what) : listener;
  }

  /** Whether a person types the input and reads the output. */
  public static boolean hasPerson() {
    return consoleIsTerminal(System.console());
  }

  private static boolean consoleIsTerminal(@Nullable Console console) {
    return console != null && console.isTerminal();
  }
}
