package dev.kymo.cli.terminal;

import dev.kymo.tables.Unit;

/** Shares for people. */
public final class Percent {
  private Percent() {}

  /** {@code 12.3 %}; nothing of nothing. */
  public static String text(long part, long whole) {
    return whole == 0 ? "" : Unit.SHARE.text((double) part / whole);
  }
}
