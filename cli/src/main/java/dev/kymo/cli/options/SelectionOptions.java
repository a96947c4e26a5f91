package dev.kymo.cli.options;

import dev.kymo.cli.terminal.Nanos;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that choose the part of a recording a command is about. */
public class SelectionOptions extends RangeOptions {
  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = Nanos.Converter.class,
      description = "End of the time range.")
  private @Nullable Nanos to;

  @Override
  @Nullable Nanos end() {
    return to;
  }
}
