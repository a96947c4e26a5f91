package dev.kymo.cli.words;

import dev.kymo.drain.options.OptionWords;
import picocli.CommandLine.ITypeConverter;

/** Bytes of a thread's buffer: see {@link OptionWords#bufferBytes}. */
public final class SizeConverter implements ITypeConverter<Integer> {
  @Override
  public Integer convert(String text) {
    return Converted.of(text, OptionWords::bufferBytes);
  }
}
