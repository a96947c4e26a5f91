package dev.kymo.cli.words;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A length of time: a number and {@code ms}, {@code s}, {@code m} or {@code h}; seconds if bare.
 */
public final class DurationConverter implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h)?");

  @Override
  public Duration convert(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a length of time, write for example 10s");
    }
    double number = Double.parseDouble(matcher.group(1));
    double millis =
        switch (matcher.group(2) == null ? "s" : matcher.group(2)) {
          case "ms" -> number;
          case "m" -> number * 60_000;
          case "h" -> number * 3_600_000;
          default -> number * 1_000;
        };
    return Duration.ofMillis(Math.round(millis));
  }
}
