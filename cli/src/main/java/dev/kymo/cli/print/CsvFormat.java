package dev.kymo.cli.print;

import dev.kymo.cli.terminal.Csv;
import dev.kymo.exporters.csv.CsvCells;

/** Comma-separated values. */
final class CsvFormat implements LineFormat {
  private final CsvCells cells;

  CsvFormat(CsvCells cells) {
    this.cells = cells;
  }

  @Override
  public String head() {
    return "time_ns,process,thread,thread_name,event,subject\n";
  }

  @Override
  public void append(PrintedEvent event, long before, StringBuilder to) {
    to.append(
            Csv.line(
                cells,
                event.time(),
                event.process(),
                event.thread().thread(),
                event.thread().name(),
                event.cells().event(),
                event.cells().subject()))
        .append('\n');
  }

  @Override
  public String ending() {
    return ".csv";
  }
}
