package dev.kymo.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import dev.kymo.model.ProgressListener;
import java.io.BufferedWriter;
import java.io.Console;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a command's output goes, and what it says beside it. Output is UTF-8; it ends the command
 * when nobody reads it, or it cannot be written. Names in it come from recorded programs: the only
 * way to the output is through {@link Printable}, so that no command can forget it.
 */
final class Terminal {
  private static final int BUFFER = 64 << 10;

  private final Writer out;
  private final PrintStream raw;
  private final PrintableStream err;
  private final Cleanup cleanup = new Cleanup();
  private final List<Runnable> watched = new ArrayList<>();

  Terminal(OutputStream out, PrintStream err) {
    this.out =
        new OutputWriter(
            new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), BUFFER));
    this.raw = err;
    this.err = PrintableStream.of(err);
  }

  /** For help: it has no names of recorded programs, but may have colours. */
  PrintWriter helpWriter() {
    return new PrintWriter(out);
  }

  /** Writes a line: whatever is in the text, there will be no other. */
  void line(String text) {
    write(Printable.of(text));
    write("\n");
  }

  /** Writes a row of comma-separated values; only quoted ones may go on on another line. */
  void csv(Object... values) {
    text(Csv.line(values) + "\n");
  }

  /** Writes lines. */
  void lines(String text) {
    text.lines().forEach(this::line);
  }

  /** Writes lines with their ends, or a part of one. */
  void text(CharSequence text) {
    write(Printable.lines(text));
  }

  private void write(CharSequence text) {
    try {
      out.append(text); // as it is, if it has come through Printable
    } catch (IOException e) {
      throw new OutputException(e); // the writer has its own for errors of the output
    }
  }

  void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  /** One JSON document, for people to read too. */
  JsonGenerator json() throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(new TextWriter());
    json.setPrettyPrinter(new DefaultPrettyPrinter());
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
    return json;
  }

  /** One JSON object a line. */
  JsonGenerator jsonLines() throws IOException {
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
  void warn(String text) {
    err.println("kymo: " + text);
  }

  /**
   * What is odd in a recording that the command reads is said at the command's end, beside its
   * answer: programs read that, and people should know what it is worth.
   */
  void watch(Path recording, Supplier<List<String>> oddities) {
    watched.add(() -> {
      List<String> odd = oddities.get();
      if (!odd.isEmpty()) {
        warn(
            "recording is damaged, what cannot be read is missing here: path=%s oddities=%d first=\"%s\"; 'kymo info' lists them"
                .formatted(recording, odd.size(), odd.getFirst()));
      }
    });
  }

  /** The command has ended: everything is written, and what is to be said of it. */
  void end() {
    flush();
    watched.forEach(Runnable::run);
    watched.clear();
  }

  /** What is to be undone when the command ends. */
  Cleanup cleanup() {
    return cleanup;
  }

  /** Shows progress, but only to a person. */
  ProgressListener progress(String what) {
    return consoleIsTerminal(System.console())
        ? new ProgressLine(raw, what)
        : ProgressListener.NONE;
  }

  private static boolean consoleIsTerminal(@Nullable Console console) {
    return console != null && console.isTerminal();
  }
}
