package dev.kymo.importers.paje.lines;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Times in seconds as decimal text, exact to the nanosecond: a double would lose the last digits.
 */
final class Seconds {
  private static final long MOST = Long.MAX_VALUE / 2;
  private static final int DECIMALS = 9;
  private static final int LONGEST = 9;

  private Seconds() {}

  /**
   * Nanoseconds of {@code 12.345}.
   *
   * @throws NumberFormatException if it is no number, below 0, or above 146 years
   */
  static long nanos(String text) {
    int point = text.indexOf('.');
    int digits = point < 0 ? text.length() : point;
    boolean isShort = digits > 0 && digits <= LONGEST && text.length() <= digits + 1 + DECIMALS;
    return isShort && isPlain(text, point) ? plain(text, digits) : exact(text);
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

  private static long plain(String text, int digits) {
    long nanos = 0;
    for (int i = 0; i < digits; i++) {
      nanos = nanos * 10 + text.charAt(i) - '0';
    }
    for (int i = 1; i <= DECIMALS; i++) {
      int at = digits + i;
      nanos = nanos * 10 + (at < text.length() ? text.charAt(at) - '0' : 0);
    }
    return nanos;
  }

  private static long exact(String text) {
    if (text.length() > 100) {
      throw new NumberFormatException("too long");
    }
    BigDecimal seconds = new BigDecimal(text);
    long magnitude = (long) seconds.precision() - seconds.scale();
    if (seconds.signum() < 0 || magnitude > 20) {
      throw new NumberFormatException("no time");
    }
    if (seconds.signum() == 0 || magnitude < -20) {
      return 0;
    }
    BigDecimal nanos = seconds.movePointRight(DECIMALS).setScale(0, RoundingMode.HALF_UP);
    if (nanos.compareTo(BigDecimal.valueOf(MOST)) > 0) {
      throw new NumberFormatException("no time");
    }
    return nanos.longValue();
  }
}
