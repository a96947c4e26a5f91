package dev.kymo.cli.print;

import dev.kymo.format.Definition;
import dev.kymo.reader.DefinitionReader;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.reader.StreamSource;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The definitions of all processes in the order of time. */
final class DefinitionMerge {
  private final PriorityQueue<Next> next =
      new PriorityQueue<>(Comparator.comparingLong(Next::clock));

  /** A definition, and the stream from which the one after it comes. */
  record Next(long clock, int process, Definition definition, DefinitionReader stream) {}

  private DefinitionMerge() {}

  static DefinitionMerge none() {
    return new DefinitionMerge();
  }

  static DefinitionMerge all(Recording recording) {
    DefinitionMerge merge = new DefinitionMerge();
    for (StreamSource file : recording.definitionStreams()) {
      merge.add(recording.definitions(file, new Diagnostics()));
    }
    return merge;
  }

  private void add(DefinitionReader stream) {
    Definition definition = stream.next();
    if (definition != null) {
      next.add(new Next(stream.clock(), stream.process(), definition, stream));
    }
  }

  /** The next definition if it is not later than a clock. */
  @Nullable Next until(long clock) {
    Next first = next.peek();
    if (first == null || first.clock() > clock) {
      return null;
    }
    next.remove();
    add(first.stream());
    return first;
  }
}
