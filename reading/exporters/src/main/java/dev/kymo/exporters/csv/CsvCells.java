package dev.kymo.exporters.csv;

import java.util.regex.Pattern;

/** Ways in which texts become cells of comma-separated values, as RFC 4180 has them. */
public enum CsvCells {
  /** Whatever is in them. */
  PLAIN,

  /**
   * What a spreadsheet would take for a formula has an apostrophe before it, which spreadsheets
   * take for the sign of a text. Names in recordings come from elsewhere, and formulas can fetch
   * and send.
   */
  SAFE;

  private static final String FORMULA = "=+-@\t\r";
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][-+]?\\d+)?");

  /** A cell, in quotes if it needs them. */
  public String of(String text) {
    String safe = this == SAFE && isFormula(text) ? "'" + text : text;
    boolean plain = safe.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? safe : '"' + safe.replace("\"", "\"\"") + '"';
  }

  private static boolean isFormula(String text) {
    return !text.isEmpty()
        && FORMULA.indexOf(text.charAt(0)) >= 0
        && !NUMBER.matcher(text).matches();
  }
}
