package dev.kymo.kernel.states;

import dev.kymo.format.Definition;
import dev.kymo.writer.DefinitionFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** What states are called, as types and methods of the recording; defined at their first use. */
final class Labels {
  static final String RUNNING = "running";
  static final String RUNNABLE = "runnable";
  static final String BLOCKED = "blocked";
  static final String INTERRUPTED = "interrupted";
  static final String FAULT = "fault";
  static final String HANDED = "handed";

  /** On tracks of processors: a thread runs. */
  static final String THREAD = "thread";

  /** On tracks of processors: it does something of its own. */
  static final String INTERRUPT = "interrupt";

  private record Name(String type, String name) {}

  private final DefinitionFile definitions;
  private final Map<String, Integer> types = new HashMap<>();
  private final Map<Name, Integer> methods = new HashMap<>();
  private long clock;

  Labels(DefinitionFile definitions) {
    this.definitions = definitions;
  }

  /** Definitions from now on bear this time. */
  void clock(long now) {
    clock = now;
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
