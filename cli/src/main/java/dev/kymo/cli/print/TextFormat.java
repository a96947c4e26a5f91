package dev.kymo.cli.print;

import dev.kymo.analysis.names.ThreadNames;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Printable;

/** A line for people: {@code 0.000000010 1/1 main enter a.B.run}. */
final class TextFormat implements LineFormat {
  @Override
  public void append(PrintedEvent event, long before, StringBuilder to) {
    Nanos.appendSeconds(to, event.time());
    to.append(' ').append(event.process()).append('/').append(event.thread().thread()).append(' ');
    Printable.append(to, ThreadNames.of(event.thread()));
    Printable.append(to.append(' '), event.cells().event());
    Printable.append(to.append(' '), event.cells().subject());
    to.append('\n');
  }
}
