package dev.kymo.query.library;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What can be said of a ready question.
 *
 * @param initial its value if none is given
 */
public record Parameter(Kind kind, String name, String initial, String meaning) {
  private static final Pattern TIME =
      Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)(h|min|s|ms|us|ns|)");

  private static final Map<String, Long> NANOS =
      Map.of(
          "h", 3_600_000_000_000L,
          "min", 60_000_000_000L,
          "s", 1_000_000_000L,
          "ms", 1_000_000L,
          "us", 1_000L,
          "ns", 1L,
          "", 1L);

  /** What values are. */
  public enum Kind {
    /** Any text. */
    TEXT,
    /** A whole number, not negative. */
    NUMBER,
    /** A time with its unit, such as {@code 10ms}; nanoseconds in SQL. */
    TIME
  }

  /**
   * A value as SQL has it.
   *
   * @throws IllegalArgumentException if it is not of this kind; with a sentence for the user
   */
  public String literal(String value) {
    return switch (kind) {
      case TEXT -> "'" + value.replace("'", "''") + "'";
      case NUMBER -> number(value);
      case TIME -> nanos(value);
    };
  }

  private String number(String value) {
    if (value.matches("\\d{1,18}")) {
      return value;
    }
    throw new IllegalArgumentException("not a whole number: %s=%s".formatted(name, value));
  }

  private String nanos(String value) {
    Matcher matcher = TIME.matcher(value);
    if (matcher.matches()) {
      long unit = NANOS.getOrDefault(matcher.group(2), 1L);
      BigDecimal nanos = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
      if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) < 0) {
        return Long.toString(nanos.longValue());
      }
    }
    throw new IllegalArgumentException(
        "not a time such as 1h, 1.5s, 200ms or 10us: %s=%s".formatted(name, value));
  }
}
