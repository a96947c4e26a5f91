package dev.kymo.cli.words;

import java.util.function.Function;
import picocli.CommandLine.TypeConversionException;

/** Values of options that are read elsewhere, for picocli. */
public final class Converted {
  private Converted() {}

  /** The value that a text has; if it has none, picocli says what the reader says. */
  public static <T> T of(String text, Function<String, T> reader) {
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
