package dev.kymo.cli.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table for people: columns are right-aligned, the last is left-aligned. */
public final class TextTable {
  private final List<String[]> rows = new ArrayList<>();

  /** Adds a row. */
  public void row(String... cells) {
    // Already here, so that widths are those of the written text.
    rows.add(Arrays.stream(cells).map(Printable::of).toArray(String[]::new));
  }

  public void write(Terminal to) {
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
