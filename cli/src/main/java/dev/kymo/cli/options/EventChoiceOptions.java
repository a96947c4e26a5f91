package dev.kymo.cli.options;

import dev.kymo.analysis.filter.ChosenEvents;
import dev.kymo.analysis.filter.EventTest;
import dev.kymo.analysis.names.EventFilter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options that choose a command's events, by where they happened. */
public class EventChoiceOptions {
  @Option(
      names = "--core",
      paramLabel = "N",
      split = ",",
      description =
          "Only what happened on this processor, as far as tracks of processors and events of the"
              + " kernel tell. May be repeated.")
  private List<Integer> cores = new ArrayList<>();

  @Option(
      names = "--process",
      paramLabel = "PROCESS",
      description =
          "Only this process: its number in the recording, its pid, or what it runs (* stands for"
              + " anything). May be repeated.")
  private List<String> processes = new ArrayList<>();

  /** What the names of events must be, for commands that have an option for it. */
  EventFilter names() {
    return new EventFilter(List.of());
  }

  /** Whether not everything is wanted. */
  public boolean isGiven() {
    return !cores.isEmpty() || !processes.isEmpty() || !names().isAll();
  }

  /** What is chosen by the options, and then by somebody else. */
  EventTest and(EventTest others) {
    return ChosenEvents.of(cores, processes, names(), others);
  }
}
