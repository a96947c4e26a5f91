package dev.kymo.cli.record;

import dev.kymo.cli.words.Converted;
import dev.kymo.drain.Flushing;
import dev.kymo.drain.options.OptionWords;
import picocli.CommandLine.ITypeConverter;

/** See {@link OptionWords#flushing}. */
final class FlushConverter implements ITypeConverter<Flushing> {
  @Override
  public Flushing convert(String text) {
    return Converted.of(text, OptionWords::flushing);
  }
}
