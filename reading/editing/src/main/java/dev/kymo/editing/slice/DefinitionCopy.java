package dev.kymo.editing.slice;

import dev.kymo.format.Definition;
import dev.kymo.reader.DefinitionReader;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.reader.StreamSource;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Copies the definitions of one process that a slice needs, with the clocks they have: those of
 * threads, methods and types that occur in it, steps until its end, and all others.
 */
final class DefinitionCopy {
  private final Recording recording;
  private final StreamSource file;
  private final Occurring occurring;
  private final long to;

  /**
   * Copies from a file.
   *
   * @param to clock at which the slice ends
   */
  DefinitionCopy(Recording recording, StreamSource file, Occurring occurring, long to) {
    this.recording = recording;
    this.file = file;
    this.occurring = occurring;
    this.to = to;
  }

  int process() {
    DefinitionReader stream = recording.definitions(file, new Diagnostics());
    stream.next();
    return stream.process();
  }

  void copy(PacketWriter to) throws IOException {
    Set<Integer> types = types();
    DefinitionReader stream = recording.definitions(file, new Diagnostics());
    for (Definition next = stream.next(); next != null; next = stream.next()) {
      if (needed(next, stream, types)) {
        to.definition(stream.clock(), next);
      }
    }
  }

  /** Types are defined before their methods: which ones are needed takes a reading of its own. */
  private Set<Integer> types() {
    Set<Integer> types = new HashSet<>();
    DefinitionReader stream = recording.definitions(file, new Diagnostics());
    for (Definition next = stream.next(); next != null; next = stream.next()) {
      if (next instanceof Definition.Method method
          && occurring.hasMethod(stream.process(), method.method())) {
        types.add(method.type());
      }
    }
    return types;
  }

  private boolean needed(Definition definition, DefinitionReader stream, Set<Integer> types) {
    int process = stream.process();
    return switch (definition) {
      case Definition.Method method -> occurring.hasMethod(process, method.method());
      case Definition.TracedThread thread -> occurring.hasThread(process, thread.thread());
      case Definition.Type type -> types.contains(type.type());
      case Definition.MethodMode mode -> stream.clock() <= to;
      case Definition.Stack stack -> occurring.hasStack(process, stack.stack());
      case Definition.Stream listed -> false; // the slice's are others
      default -> true;
    };
  }
}
