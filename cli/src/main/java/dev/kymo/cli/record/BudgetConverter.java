package dev.kymo.cli.record;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Part of a thread's time: a number and {@code %}, or {@code none}; millionths, 0 = any. */
final class BudgetConverter implements ITypeConverter<Integer> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,4})?)%");
  private static final int MILLIONTHS_PER_PERCENT = 10_000;
  private static final double SMALLEST = 0.1;
  private static final double LARGEST = 100;

  @Override
  public Integer convert(String text) {
    if (text.equals("none")) {
      return 0;
    }
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a budget, write for example 3% or none");
    }
    double percent = Double.parseDouble(matcher.group(1));
    if (percent < SMALLEST || percent > LARGEST) {
      throw new TypeConversionException("'" + text + "' is not between 0.1% and 100%");
    }
    return (int) Math.round(percent * MILLIONTHS_PER_PERCENT);
  }
}
