package dev.kymo.cli.options;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The same, with threads in one list as well: for commands in which that means nothing else. */
public final class ThreadListOptions extends SelectionOptions {
  @Option(
      names = "--threads",
      paramLabel = "THREAD",
      split = ",",
      description = "Only these threads, as with --thread.")
  private List<String> more = new ArrayList<>();

  @Override
  List<String> names() {
    List<String> all = new ArrayList<>(super.names());
    all.addAll(more);
    return all;
  }
}
