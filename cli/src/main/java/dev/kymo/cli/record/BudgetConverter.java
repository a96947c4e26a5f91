package dev.kymo.cli.record;

import dev.kymo.cli.words.Converted;
import dev.kymo.drain.options.Words;
import picocli.CommandLine.ITypeConverter;

/** See {@link Words#budget}. */
final class BudgetConverter implements ITypeConverter<Integer> {
  @Override
  public Integer convert(String text) {
    return Converted.of(text, Words::budget);
  }
}
