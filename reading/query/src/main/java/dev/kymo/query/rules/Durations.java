package dev.kymo.query.rules;

import java.math.BigDecimal;
import java.math.MathContext;

/** Times as sentences of verdicts have them. */
final class Durations {
  private static final MathContext DIGITS = new MathContext(4);

  private Durations() {}

  /** With four digits, in the largest unit of which there is at least one. */
  static String text(double nanos) {
    if (nanos >= 1e9) {
      return rounded(nanos / 1e9) + " s";
    }
    if (nanos >= 1e6) {
      return rounded(nanos / 1e6) + " ms";
    }
    return nanos >= 1e3 ? rounded(nanos / 1e3) + " us" : rounded(nanos) + " ns";
  }

  static String text(long nanos) {
    return text((double) nanos);
  }

  private static String rounded(double number) {
    return new BigDecimal(number).round(DIGITS).stripTrailingZeros().toPlainString();
  }
}
