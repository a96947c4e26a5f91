package dev.kymo.cli.record;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of instructions, at least one: digits, and {@code K}, {@code M} or {@code G}. */
public final class InstructionCount implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})([kKmMgG]?)");

  @Override
  public Long convert(String text) {
    Matcher matcher = FORM.matcher(text);
    long number = matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    if (number == 0) {
      throw new TypeConversionException(
          "'" + text + "' is not a number of instructions, write for example 10M");
    }
    return number
        * switch (matcher.group(2)) {
          case "k", "K" -> 1_000L;
          case "m", "M" -> 1_000_000L;
          case "g", "G" -> 1_000_000_000L;
          default -> 1L;
        };
  }
}
