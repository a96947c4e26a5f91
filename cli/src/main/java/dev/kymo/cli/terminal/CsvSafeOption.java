package dev.kymo.cli.terminal;

import dev.kymo.exporters.csv.CsvCells;
import dev.kymo.session.UsageException;
import picocli.CommandLine.Option;

/** Whether CSV is for spreadsheets. */
public final class CsvSafeOption {
  @Option(
      names = "--csv-safe",
      description =
          "Put an apostrophe before texts in CSV that begin with =, +, -, @, a tab or a line end,"
              + " which spreadsheets take for formulas; numbers stay as they are.")
  private boolean safe;

  /**
   * The cells that were asked for.
   *
   * @param csv whether CSV is written
   * @throws UsageException if none is, and the option was given
   */
  public CsvCells cells(boolean csv) {
    if (safe && !csv) {
      throw new UsageException("--csv-safe is for CSV");
    }
    return safe ? CsvCells.SAFE : CsvCells.PLAIN;
  }

  /** Whether it was given. */
  public boolean isGiven() {
    return safe;
  }
}
