package dev.kymo.cli.terminal;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Where messages go, also from parts that have no {@link Terminal}: each stays on its line, and
 * what it quotes does nothing to the terminal.
 */
public final class PrintableStream extends PrintStream {
  private PrintableStream(PrintStream to) {
    super(to, true, StandardCharsets.UTF_8);
  }

  public static PrintableStream of(PrintStream to) {
    return to instanceof PrintableStream already ? already : new PrintableStream(to);
  }

  @Override
  public void print(String text) {
    super.print(Printable.lines(String.valueOf(text)).toString());
  }

  /** One message, which stays on one line whatever it quotes. */
  @Override
  public void println(String text) {
    super.println(Printable.of(String.valueOf(text)));
  }
}
