package dev.kymo.cli.print;

import dev.kymo.cli.terminal.Printable;

/** Lines for scripts. Their columns are promised in {@code docs/print.md}. */
final class RawFormat implements LineFormat {
  @Override
  public String head() {
    return "#event\tticks\ttime_ns\tprocess\tthread\tkind\tnumber\tsubsystem\tid\tdata\n";
  }

  @Override
  public void append(PrintedEvent event, long before, StringBuilder to) {
    if (event.number() == 0) {
      to.append('-');
    } else {
      to.append(event.number());
    }
    to.append('\t').append(event.ticks()).append('\t').append(event.time()).append('\t');
    to.append(event.process()).append('\t').append(event.thread().thread()).append('\t');
    event.cells().raw(to);
    to.append('\n');
  }

  /** Appends columns, each followed by a tab. */
  static void cells(StringBuilder to, String kind, String number, String subsystem, String id) {
    text(to, kind);
    text(to.append('\t'), number);
    text(to.append('\t'), subsystem);
    text(to.append('\t'), id);
    to.append('\t');
  }

  /** Appends a cell: an empty cell becomes a dash, a backslash is doubled. */
  static void text(StringBuilder to, String cell) {
    if (cell.isEmpty()) {
      to.append('-');
    } else {
      Printable.escape(to, cell, '\\');
    }
  }

  @Override
  public String ending() {
    return ".tsv";
  }
}
