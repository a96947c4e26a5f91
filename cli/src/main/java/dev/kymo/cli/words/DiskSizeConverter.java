package dev.kymo.cli.words;

import dev.kymo.drain.options.OptionWords;
import picocli.CommandLine.ITypeConverter;

/** Bytes on a disk: see {@link OptionWords#diskBytes}. */
public final class DiskSizeConverter implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    return Converted.of(text, OptionWords::diskBytes);
  }
}
