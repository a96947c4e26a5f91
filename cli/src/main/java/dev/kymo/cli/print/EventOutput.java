package dev.kymo.cli.print;

import dev.kymo.cli.terminal.Terminal;
import java.io.IOException;

/** A destination for lines of events. */
interface EventOutput {
  void write(PrintedEvent event) throws IOException;

  /** All events have been written. */
  void end() throws IOException;

  /** All into the terminal, or whatever reads the command's output. */
  static EventOutput terminal(Terminal terminal, LineFormat format) {
    terminal.text(format.head());
    return new EventOutput() {
      private final StringBuilder line = new StringBuilder();
      private long before = LineFormat.NONE;

      @Override
      public void write(PrintedEvent event) {
        line.setLength(0);
        format.append(event, before, line);
        before = event.time();
        terminal.text(line);
      }

      @Override
      public void end() {} // the command's end is that of its output
    };
  }
}
