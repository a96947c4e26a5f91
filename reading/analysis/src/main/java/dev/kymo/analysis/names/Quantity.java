package dev.kymo.analysis.names;

import java.util.Locale;

/** Large numbers for people, with three digits that count. */
public final class Quantity {
  private static final String[] UNITS = {"", "k", "M", "G", "T", "P", "E"};

  private Quantity() {}

  /** {@code 950}, {@code 12.3 k}, {@code 412 M}. */
  public static String text(long number) {
    return text(number, "");
  }

  /** {@code 1 method}, {@code 3 methods}. */
  public static String of(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /** {@code 950 B}, {@code 12.3 kB}, {@code 412 MB}. */
  public static String text(long number, String of) {
    double value = number;
    int unit = 0;
    while (Math.round(value) >= 1000) {
      value /= 1000;
      unit++;
    }
    int digits = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + digits + "f %s%s", value, UNITS[unit], of).strip();
  }
}
