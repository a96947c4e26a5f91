package dev.kymo.cli.terminal;

import java.util.Locale;

/** Shares for people. */
public final class Percent {
  private Percent() {}

  /** {@code 12.3 %}; nothing of nothing. */
  public static String text(long part, long whole) {
    return whole == 0 ? "" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
  }
}
