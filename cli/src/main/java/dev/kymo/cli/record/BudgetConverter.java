package dev.kymo.cli.record;

import dev.kymo.cli.words.Converted;
import dev.kymo.drain.options.OptionWords;
import picocli.CommandLine.ITypeConverter;

/** See {@link OptionWords#budget}. */
final class BudgetConverter implements ITypeConverter<Integer> {
  @Override
  public Integer convert(String text) {
    return Converted.of(text, OptionWords::budget);
  }
}
