package dev.kymo.cli.options;

import dev.kymo.analysis.names.EventFilter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The same, with the names of events. */
public final class NamedEventOptions extends EventChoiceOptions {
  @Option(
      names = "--event",
      paramLabel = "PATTERN",
      description =
          "Only calls, states and events with this name (* stands for anything): a.B.run,"
              + " disk.ALLOC, or all of a.B, of disk. May be repeated.")
  private List<String> names = new ArrayList<>();

  @Override
  EventFilter names() {
    return new EventFilter(names);
  }
}
