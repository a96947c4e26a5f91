package dev.kymo.analysis.filter;

import dev.kymo.analysis.names.EventFilter;
import dev.kymo.analysis.names.NameGlob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Chooses events by their processor, process and name. What is not given does not matter. */
public final class ChosenEvents implements EventTest {
  private final Set<Integer> cores;
  private final List<String> processes;
  private final List<NameGlob> commands;
  private final EventFilter events;
  private final EventTest others;
  private final Map<Integer, Boolean> knownProcesses = new HashMap<>();
  private final Map<String, Boolean> knownNames = new HashMap<>();

  private ChosenEvents(
      Set<Integer> cores, List<String> processes, EventFilter events, EventTest others) {
    this.cores = cores;
    this.processes = processes;
    this.commands = processes.stream().map(NameGlob::new).toList();
    this.events = events;
    this.others = others;
  }

  /**
   * A choice.
   *
   * @param cores numbers of processors; what happened on no known one is left out
   * @param processes numbers in the recording, pids, or commands in which {@code *} stands for
   *     anything
   * @param others asked about what is left
   */
  public static EventTest of(
      List<Integer> cores, List<String> processes, EventFilter events, EventTest others) {
    return cores.isEmpty() && processes.isEmpty() && events.isAll()
        ? others
        : new ChosenEvents(Set.copyOf(cores), List.copyOf(processes), events, others);
  }

  @Override
  public boolean accept(EventFacts event) {
    return (cores.isEmpty() || cores.contains(event.core()))
        && (processes.isEmpty() || isOfProcess(event))
        && (events.isAll() || isNamed(event))
        && others.accept(event);
  }

  private boolean isOfProcess(EventFacts event) {
    return knownProcesses.computeIfAbsent(
        event.process(),
        number ->
            processes.contains(Integer.toString(number))
                || (event.pid() >= 0 && processes.contains(Integer.toString(event.pid())))
                || commands.stream().anyMatch(command -> command.test(event.command())));
  }

  private boolean isNamed(EventFacts event) {
    return knownNames.computeIfAbsent(event.name(), name -> events.test(name, event.subsystem()));
  }
}
