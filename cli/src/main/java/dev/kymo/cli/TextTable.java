package dev.kymo.cli;

import java.util.ArrayList;
import java.util.List;

/** A table for people: numbers to the right, the last column as it is. */
final class TextTable {
  private final List<String[]> rows = new ArrayList<>();

  void row(String... cells) {
    rows.add(cells);
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
