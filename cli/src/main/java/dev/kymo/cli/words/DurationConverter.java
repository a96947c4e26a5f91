package dev.kymo.cli.words;

import dev.kymo.drain.options.OptionWords;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;

/** A length of time: see {@link OptionWords#duration}. */
public final class DurationConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    return Converted.of(text, OptionWords::duration);
  }
}
