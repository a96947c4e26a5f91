package dev.kymo.importers.chrome.json;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Microseconds as decimal text, exact to the nanosecond: a double would lose the last digits. */
final class Micros {
  /** 146 years; whatever is larger is no time. */
  private static final long MOST = Long.MAX_VALUE / 2;

  private static final int DECIMALS = 3;
  private static final int SHORT = 15;

  private Micros() {}

  /**
   * Nanoseconds of {@code 12.345}.
   *
   * @throws NumberFormatException if it is no number, or too large
   */
  static long nanos(String text) {
    int point = text.indexOf('.');
    int digits = point < 0 ? text.length() : point;
    if (digits == 0 || digits > SHORT || !isPlain(text, point)) {
      return exact(text);
    }
    long nanos = 0;
    for (int i = 0; i < digits; i++) {
      nanos = nanos * 10 + text.charAt(i) - '0';
    }
    for (int i = 1; i <= DECIMALS; i++) {
      int at = digits + i;
      nanos = nanos * 10 + (at < text.length() ? text.charAt(at) - '0' : 0);
    }
    int next = digits + DECIMALS + 1;
    return next < text.length() && text.charAt(next) >= '5' ? nanos + 1 : nanos;
  }

  private static boolean isPlain(String text, int point) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && i != point) {
        return false;
      }
    }
    return true;
  }

  private static long exact(String text) {
    BigDecimal micros = new BigDecimal(text.strip());
    if (micros.signum() != 0 && Math.abs((long) micros.precision() - micros.scale()) > 30) {
      return small(micros);
    }
    BigDecimal nanos = micros.movePointRight(DECIMALS).setScale(0, RoundingMode.HALF_UP);
    if (nanos.abs().compareTo(BigDecimal.valueOf(MOST)) > 0) {
      throw new NumberFormatException("too large");
    }
    return nanos.longValue();
  }

  /** A number far from one: less than a nanosecond, or no time at all. */
  private static long small(BigDecimal micros) {
    if (micros.precision() - micros.scale() > 0) {
      throw new NumberFormatException("too large");
    }
    return 0;
  }
}
