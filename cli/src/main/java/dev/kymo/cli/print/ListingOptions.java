package dev.kymo.cli.print;

import dev.kymo.cli.options.FormatOptions;
import dev.kymo.cli.options.ThreadListOptions;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.reader.Recording;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Options for what {@code kymo print} writes of recorded instructions, instead of events. */
final class ListingOptions {
  @Option(
      names = "--instructions",
      description =
          "Print the executed instructions instead, from kymo record --instructions; --from and"
              + " --to are their numbers.")
  private boolean instructions;

  @Option(
      names = "--source",
      description =
          "With --instructions: also the source lines that they were made of, where the program's"
              + " files have them.")
  private boolean source;

  @Option(
      names = "--fold",
      description =
          "With --instructions: write what is executed again and again once, and how often it was.")
  private boolean fold;

  @Option(
      names = "--data",
      description =
          "Print what kymo machine replay has added at chosen instructions instead, and which"
              + " threads were ready to run at switches.")
  private boolean data;

  @Option(
      names = "--points",
      description =
          "Print where the executed instructions are irregular instead: returns that match no"
              + " call, calls that never return, faults, switches nobody asked for, pages whose"
              + " code is executed first.")
  private boolean points;

  @Option(
      names = "--critical",
      paramLabel = "FUNCTION",
      description =
          "With --points: interrupts, or in a program signals, in this function are points, too."
              + " May be repeated.")
  private List<String> critical = new ArrayList<>();

  /**
   * Whether there is anything to be written.
   *
   * @throws UsageException if options do not fit together
   */
  boolean isWanted() {
    if ((source || fold) && !instructions) {
      throw new UsageException("--source and --fold go with --instructions only");
    }
    if (!critical.isEmpty() && !points) {
      throw new UsageException("--critical goes with --points only");
    }
    return instructions || data || points;
  }

  /** What was asked for, {@code --points}. */
  String option() {
    return Stream.of(
            instructions ? "--instructions" : "", data ? "--data" : "", points ? "--points" : "")
        .filter(option -> !option.isEmpty())
        .collect(Collectors.joining(" and "));
  }

  /**
   * Writes it.
   *
   * @throws UsageException if options do not fit together
   */
  void write(Recording from, Terminal terminal, FormatOptions format, ThreadListOptions selected)
      throws IOException {
    if (option().contains(" and ")) {
      throw new UsageException(option() + " exclude each other");
    }
    if (fold && (format.json() || format.csv())) {
      throw new UsageException("--fold does not go with --json and --csv");
    }
    if (points) {
      new PointLines(terminal, format)
          .write(from, selected.from(), selected.to(), selected.threads(), Set.copyOf(critical));
    } else {
      new InstructionLines(terminal, format, new InstructionLines.Choice(data, source, fold))
          .write(from, selected.from(), selected.to(), selected.threads());
    }
  }
}
