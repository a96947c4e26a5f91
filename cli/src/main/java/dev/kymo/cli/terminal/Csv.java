package dev.kymo.cli.terminal;

import dev.kymo.exporters.csv.CsvCells;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Lines of comma-separated values as RFC 4180 has them. */
public final class Csv {
  private Csv() {}

  public static String line(Object... values) {
    return line(CsvCells.PLAIN, values);
  }

  /** A line with cells of this kind. */
  public static String line(CsvCells cells, Object... values) {
    return Arrays.stream(values).map(v -> cells.of(v.toString())).collect(Collectors.joining(","));
  }
}
