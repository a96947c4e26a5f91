package dev.kymo.cli.options;

import dev.kymo.cli.terminal.Nanos;
import dev.kymo.exporters.source.Selected;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options that choose the part of a recording to export, for a command whose {@code --to} is a
 * format.
 */
public final class ExportOptions extends RangeOptions {
  @Option(
      names = "--to-time",
      paramLabel = "TIME",
      converter = Nanos.Converter.class,
      description = "End of the time range.")
  private @Nullable Nanos to;

  @Option(
      names = "--threads",
      paramLabel = "THREAD",
      split = ",",
      description = "Only these threads, as with --thread.")
  private List<String> more = new ArrayList<>();

  @Override
  @Nullable Nanos end() {
    return to;
  }

  @Override
  List<String> names() {
    List<String> all = new ArrayList<>(super.names());
    all.addAll(more);
    return all;
  }

  public Selected selected() {
    return new Selected(from(), to(), threads());
  }
}
