package dev.kymo.cli.words;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Bytes on a disk: a number and {@code K}, {@code M} or {@code G}; at least a megabyte, or {@code
 * none}: 0.
 */
public final class DiskSizeConverter implements ITypeConverter<Long> {
  private static final long SMALLEST = 1 << 20;

  @Override
  public Long convert(String text) {
    long bytes = text.equals("none") ? 0 : SizeConverter.bytes(text);
    if (bytes != 0 && bytes < SMALLEST) {
      throw new TypeConversionException("'" + text + "' is not at least 1M");
    }
    return bytes;
  }
}
