package dev.kymo.cli.record;

import dev.kymo.cli.terminal.CsvSafeOption;
import dev.kymo.session.UsageException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for printing events on standard output, {@code -o -}. */
final class ConsoleOptions {
  /** The name of the recording that means standard output. */
  static final String OUTPUT = "-";

  /** How lines look; {@code kymo print} has an option for each. */
  enum Format {
    text,
    table,
    raw,
    json,
    csv;

    /** What {@code kymo print} is told. */
    List<String> words() {
      return this == json || this == csv ? List.of("--" + name()) : List.of("--format", name());
    }
  }

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "With -o -: text, table, raw, json or csv, as kymo print writes them; default: text.")
  private @Nullable Format format;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      description =
          "With -o -: print events this much later, so that all are in the order of time; default:"
              + " 3s, see kymo print.")
  private @Nullable String delay;

  @Mixin private CsvSafeOption csvSafe;

  /**
   * Refuses options that do not go together.
   *
   * @param on whether events are printed
   * @param others what events cannot be printed with, if it was asked for
   */
  void check(boolean on, List<String> others) {
    if (!on && (format != null || delay != null)) {
      throw new UsageException("--format and --delay go with -o -");
    }
    csvSafe.cells(on && format == Format.csv);
    if (on && !others.isEmpty()) {
      throw new UsageException("-o - does not go with " + others.getFirst());
    }
  }

  /** What {@code kymo print} is told. */
  List<String> words() {
    List<String> words = new ArrayList<>(format == null ? List.of() : format.words());
    if (delay != null) {
      words.addAll(List.of("--delay", delay));
    }
    if (csvSafe.isGiven()) {
      words.add("--csv-safe");
    }
    return words;
  }
}
