package dev.kymo.cli.record;

import dev.kymo.cli.words.DurationConverter;
import dev.kymo.cli.words.SizeConverter;
import dev.kymo.drain.Flushing;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code auto}, a length of time with its unit, or a number of bytes with its unit. */
final class FlushConverter implements ITypeConverter<Flushing> {
  private static final Pattern TIME = Pattern.compile("[\\d.]+(ms|s|m|h)");
  private static final Pattern SIZE = Pattern.compile("\\d+[KMG]");
  private static final long SHORTEST = 10_000_000;
  private static final long SMALLEST = 64 << 10;

  @Override
  public Flushing convert(String text) {
    if (text.equals("auto")) {
      return Flushing.AUTO;
    }
    if (TIME.matcher(text).matches()) {
      long nanos = new DurationConverter().convert(text).toNanos();
      return Flushing.every(atLeast(nanos, SHORTEST, text, "10ms"));
    }
    if (SIZE.matcher(text).matches()) {
      return Flushing.at(atLeast(SizeConverter.bytes(text), SMALLEST, text, "64K"));
    }
    throw new TypeConversionException(
        "'" + text + "' is neither auto, nor a length of time such as 5s, nor a size such as 4M");
  }

  private static long atLeast(long value, long least, String text, String words) {
    if (value < least) {
      throw new TypeConversionException("'" + text + "' is not at least " + words);
    }
    return value;
  }
}
