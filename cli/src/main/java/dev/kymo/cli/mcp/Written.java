package dev.kymo.cli.mcp;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.cli.terminal.OutputException;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.session.ExitCode;
import dev.kymo.session.system.RawText;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;

/** The output of a command, as an answer. */
final class Written {
  /** Characters of an answer: who asks has to read them. */
  static final int MOST = 40_000;

  private Written() {}

  /**
   * Runs a command.
   *
   * @param hint how to ask for less if it is too much
   */
  static Tool.Answer of(
      Function<Terminal, Object> command, List<String> arguments, String hint, Progress progress) {
    Bounded out = new Bounded();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal = new Terminal(out, new PrintStream(err, true, StandardCharsets.UTF_8));
    terminal.tellProgress(progress.listener());
    CommandLine line = new CommandLine(command.apply(terminal));
    line.setExpandAtFiles(false);
    line.setOut(terminal.helpWriter());
    line.registerConverter(Path.class, RawText::path);
    String[] mistake = {""};
    int code = ExitCode.FAILED;
    line.setParameterExceptionHandler((e, a) -> fail(mistake, e));
    line.setExecutionExceptionHandler((e, l, r) -> fail(mistake, e));
    try {
      code = line.execute(arguments.toArray(String[]::new));
      terminal.end();
    } catch (OutputException e) {
      fail(mistake, e);
    } finally {
      terminal.cleanup().run();
    }
    String told = err.toString(StandardCharsets.UTF_8);
    if (!mistake[0].isEmpty()) {
      return Tool.Answer.error(told + mistake[0]);
    }
    String text = cut(out.text(), out.more, hint) + told;
    boolean failed = code == ExitCode.FAILED || code == ExitCode.USAGE;
    return failed ? Tool.Answer.error(text) : Tool.Answer.of(text);
  }

  private static int fail(String[] mistake, Exception e) {
    String message = e.getMessage();
    mistake[0] = message == null ? e.toString() : message;
    return 1;
  }

  /** A text, or its begin with a note. */
  static String cut(String text, long more, String hint) {
    if (text.length() <= MOST && more == 0) {
      return text;
    }
    int end = text.lastIndexOf('\n', MOST);
    String begin = text.substring(0, end < 0 ? Math.min(MOST, text.length()) : end + 1);
    return begin
        + "(cut: about %d more characters; %s)\n"
            .formatted(text.length() - begin.length() + more, hint);
  }

  /** Keeps the begin of what is written. */
  private static final class Bounded extends OutputStream {
    private static final int BYTES = 2 * MOST;

    private final ByteArrayOutputStream begin = new ByteArrayOutputStream();
    private long more;

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
      int taken = Math.clamp(BYTES - begin.size(), 0, count);
      begin.write(bytes, from, taken);
      more += count - taken;
    }

    String text() {
      return begin.toString(StandardCharsets.UTF_8);
    }
  }
}
