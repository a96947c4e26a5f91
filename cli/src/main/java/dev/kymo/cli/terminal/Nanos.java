package dev.kymo.cli.terminal;

import dev.kymo.analysis.names.TimeText;
import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A time as people write it: {@code 1.5s}, {@code 200ms}, {@code 10us}, {@code 7ns}, {@code 7}.
 *
 * @param value nanoseconds
 */
public record Nanos(long value) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)(s|ms|us|ns|)");
  private static final Map<String, Integer> DIGITS =
      Map.of("s", 9, "ms", 6, "us", 3, "ns", 0, "", 0);

  /** Reads a time from the command line. */
  public static final class Converter implements ITypeConverter<Nanos> {
    @Override
    public Nanos convert(String text) {
      Matcher matcher = FORM.matcher(text);
      if (matcher.matches()) {
        int digits = DIGITS.getOrDefault(matcher.group(2), 0);
        if (digits == 0 && matcher.group(1).indexOf('.') < 0) {
          return new Nanos(Long.parseLong(matcher.group(1))); // BigDecimal is slow to begin
        }
        BigDecimal nanos = new BigDecimal(matcher.group(1)).movePointRight(digits);
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) < 0) {
          return new Nanos(nanos.longValue());
        }
      }
      throw new TypeConversionException(
          "'" + text + "' is not a time such as 1.5s, 200ms, 10us or 7");
    }
  }

  /** A time for people, with four digits that count. */
  public static String text(long nanos) {
    return TimeText.text(nanos);
  }

  /** A point in time for people: seconds with all digits. */
  public static String seconds(long nanos) {
    return TimeText.seconds(nanos);
  }

  /** Appends the same of a point in time that may be before the begin. */
  public static void appendSeconds(StringBuilder to, long nanos) {
    if (nanos < 0) {
      to.append('-');
    }
    long magnitude = Math.abs(nanos);
    to.append(magnitude / 1_000_000_000L).append('.');
    int rest = (int) (magnitude % 1_000_000_000L);
    for (int digit = 100_000_000; digit > 0; digit /= 10) {
      to.append((char) ('0' + rest / digit % 10));
    }
  }
}
