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
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Where a command's output goes. Output is UTF-8; it ends the command when nobody reads it. */
final class Terminal {
  private static final int BUFFER = 64 << 10;

  private final Writer out;
  private final PrintStream err;
  private final Cleanup cleanup = new Cleanup();

  Terminal(OutputStream out, PrintStream err) {
    this.out =
        new ClosableWriter(
            new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), BUFFER));
    this.err = err;
  }

  /** Turns errors of the output into the exception that ends a command quietly. */
  private static final class ClosableWriter extends Writer {
    private final Writer to;

    ClosableWriter(Writer to) {
      this.to = to;
    }

    @Override
    public void write(char[] chars, int from, int length) {
      try {
        to.write(chars, from, length);
      } catch (IOException e) {
        throw new ClosedOutputException(e);
      }
    }

    @Override
    public void write(String text, int from, int length) {
      try {
        to.write(text, from, length);
      } catch (IOException e) {
        throw new ClosedOutputException(e);
      }
    }

    @Override
    public void flush() {
      try {
        to.flush();
      } catch (IOException e) {
        throw new ClosedOutputException(e);
      }
    }

    @Override
    public void close() {
      flush();
    }
  }

  PrintWriter writer() {
    return new PrintWriter(out);
  }

  void line(String text) {
    try {
      out.write(text);
      out.write('\n');
    } catch (IOException e) {
      throw new ClosedOutputException(e);
    }
  }

  /** Writes text as it is. */
  void text(CharSequence text) {
    try {
      out.append(text);
    } catch (IOException e) {
      throw new ClosedOutputException(e);
    }
  }

  void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw new ClosedOutputException(e);
    }
  }

  /** One JSON document, for people to read too. */
  JsonGenerator json() throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
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

  /** Something the user should know that is not the answer. */
  void warn(String text) {
    err.println("kymo: " + text);
  }

  /** What is to be undone when the command ends. */
  Cleanup cleanup() {
    return cleanup;
  }

  /** Shows progress, but only to a person. */
  ProgressListener progress(String what) {
    return consoleIsTerminal(System.console())
        ? new ProgressLine(err, what)
        : ProgressListener.NONE;
  }

  private static boolean consoleIsTerminal(@Nullable Console console) {
    return console != null && console.isTerminal();
  }
}
