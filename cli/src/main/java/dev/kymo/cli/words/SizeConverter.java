package dev.kymo.cli.words;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Bytes of a thread's buffer: a number and {@code K}, {@code M} or {@code G}. */
public final class SizeConverter implements ITypeConverter<Integer> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,12})([kKmMgG]?)");
  private static final long SMALLEST = 128 << 10;
  private static final long LARGEST = 1 << 30;

  @Override
  public Integer convert(String text) {
    long bytes = bytes(text);
    if (bytes < SMALLEST || bytes > LARGEST) {
      throw new TypeConversionException("'" + text + "' is not between 128K and 1G");
    }
    return (int) bytes;
  }

  /** Bytes that a text says. */
  public static long bytes(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException("'" + text + "' is not a size, write for example 2M");
    }
    int shift =
        switch (matcher.group(2)) {
          case "k", "K" -> 10;
          case "m", "M" -> 20;
          case "g", "G" -> 30;
          default -> 0;
        };
    return Long.parseLong(matcher.group(1)) << shift;
  }
}
