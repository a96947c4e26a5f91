package dev.kymo.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table for people: numbers to the right, the last column as it is. */
final class TextTable {
  private final List<String[]> rows = new ArrayList<>();

  /** Adds a row. */
  void row(String... cells) {
    // Here already, so that the widths are those of what is written.
    rows.add(Arrays.stream(cells).map(Printable::of).toArray(String[]::new));
  }

  void write(Terminal to) {
    int columns = rows.isEmpty() ? 0 : rows.getFirst().length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns - 1; i++) {
        line.repeat(' ', widths[i] - row[i].length()).append(row[i]).append("  ");
      }
      to.line(line.append(row[columns - 1]).toString());
    }
  }
}
