package dev.kymo.states;

import dev.kymo.format.Definition;
import dev.kymo.format.SchedulerState;
import dev.kymo.writer.DefinitionFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The names of states, as types and methods of the recording; they are defined at their first use.
 */
final class Labels {
  /** On tracks of processors: a thread runs. */
  static final String THREAD = "thread";

  /** On tracks of processors: the processor does something of its own. */
  static final String INTERRUPT = "interrupt";

  private record Name(String type, String name) {}

  private final DefinitionFile definitions;
  private final Map<String, Integer> types = new HashMap<>();
  private final Map<Name, Integer> methods = new HashMap<>();
  private long clock;

  Labels(DefinitionFile definitions) {
    this.definitions = definitions;
  }

  /** Sets the time of further definitions. */
  void clock(long now) {
    clock = now;
  }

  /** Number of the method that stands for a state of a thread. */
  int of(SchedulerState state, String name) throws IOException {
    return of(state.word(), name);
  }

  /** Number of the method that stands for a state. */
  int of(String type, String name) throws IOException {
    Name wanted = new Name(type, name);
    Integer known = methods.get(wanted);
    if (known != null) {
      return known;
    }
    Integer typeNumber = types.get(type);
    if (typeNumber == null) {
      typeNumber = types.size() + 1;
      types.put(type, typeNumber);
      definitions.define(clock, new Definition.Type(typeNumber, type, "", ""));
    }
    int number = methods.size() + 1;
    methods.put(wanted, number);
    definitions.define(clock, new Definition.Method(number, typeNumber, 0, 0, name, ""));
    return number;
  }
}
