package dev.kymo.cli;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Where messages go, also those of parts that know no {@link Terminal}: each stays on its line, and
 * what it quotes does nothing to the terminal.
 */
final class PrintableStream extends PrintStream {
  private PrintableStream(PrintStream to) {
    super(to, true, StandardCharsets.UTF_8);
  }

  static PrintableStream of(PrintStream to) {
    return to instanceof PrintableStream already ? already : new PrintableStream(to);
  }

  @Override
  public void print(String text) {
    super.print(Printable.lines(String.valueOf(text)).toString());
  }

  /** One message: whatever it quotes, no other line begins. */
  @Override
  public void println(String text) {
    super.println(Printable.of(String.valueOf(text)));
  }
}
