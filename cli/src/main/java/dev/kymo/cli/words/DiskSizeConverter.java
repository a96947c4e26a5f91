package dev.kymo.cli.words;

import dev.kymo.drain.options.Words;
import picocli.CommandLine.ITypeConverter;

/** Bytes on a disk: see {@link Words#diskBytes}. */
public final class DiskSizeConverter implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    return Converted.of(text, Words::diskBytes);
  }
}
