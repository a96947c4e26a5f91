package dev.kymo.cli.print;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Numbers from one to another, both included: {@code 5..9}, {@code 5..}, {@code ..9}, {@code 7}.
 *
 * @param first at least 1
 * @param last at least the first
 */
record NumberRange(long first, long last) {
  static final NumberRange ALL = new NumberRange(1, Long.MAX_VALUE);

  private static final Pattern FORM = Pattern.compile("(\\d{0,18})(\\.\\.)?(\\d{0,18})");

  static final class Converter implements ITypeConverter<NumberRange> {
    @Override
    public NumberRange convert(String text) {
      Matcher m = FORM.matcher(text);
      if (m.matches() && (m.group(1) + m.group(3)).length() > 0) {
        long first = m.group(1).isEmpty() ? 1 : Long.parseLong(m.group(1));
        String end = m.group(2) == null ? m.group(1) : m.group(3);
        long last = end.isEmpty() ? Long.MAX_VALUE : Long.parseLong(end);
        if (first >= 1 && last >= first) {
          return new NumberRange(first, last);
        }
      }
      throw new TypeConversionException(
          "'" + text + "' is not a range of numbers such as 5..9, 5.., ..9 or 7, from 1");
    }
  }

  boolean contains(long number) {
    return number >= first && number <= last;
  }

  /** Whether something between a number and the next one lies inside the range. */
  boolean containsAfter(long number) {
    return number >= first - 1 && number < last;
  }
}
