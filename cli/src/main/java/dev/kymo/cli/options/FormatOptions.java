package dev.kymo.cli.options;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Output for programs instead of people. */
public final class FormatOptions {
  @ArgGroup(exclusive = true)
  private Choice choice = new Choice();

  private static final class Choice {
    @Option(names = "--json", description = "Write JSON; times are nanoseconds.")
    private boolean json;

    @Option(names = "--csv", description = "Write CSV; times are nanoseconds.")
    private boolean csv;
  }

  public boolean json() {
    return choice.json;
  }

  public boolean csv() {
    return choice.csv;
  }
}
