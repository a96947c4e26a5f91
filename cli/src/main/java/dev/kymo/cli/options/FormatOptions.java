package dev.kymo.cli.options;

import dev.kymo.cli.terminal.CsvSafeOption;
import dev.kymo.cli.terminal.Terminal;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Output for programs instead of people. */
public final class FormatOptions {
  @ArgGroup(exclusive = true)
  private Choice choice = new Choice();

  @Mixin private CsvSafeOption safe;

  private static final class Choice {
    @Option(names = "--json", description = "Write JSON; times are nanoseconds.")
    private boolean json;

    @Option(names = "--csv", description = "Write CSV; times are nanoseconds.")
    private boolean csv;
  }

  /**
   * Has a terminal write what was asked for.
   *
   * @throws dev.kymo.cli.terminal.UsageException if options contradict each other
   */
  public void prepare(Terminal terminal) {
    terminal.cells(safe.cells(csv()));
  }

  public boolean json() {
    return choice.json;
  }

  public boolean csv() {
    return choice.csv;
  }
}
