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
      new PriorityQueue<>(Comparator.comparingLong(Next::clock).thenComparingLong(Next::number));

  private long count;

  /**
   * A definition.
   *
   * @param number counts them as they were read
   * @param stream from which the one after it comes; null = whoever adds it adds that as well
   */
  record Next(
      long clock,
      long number,
      int process,
      Definition definition,
      @Nullable DefinitionReader stream) {}

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
      next.add(new Next(stream.clock(), count++, stream.process(), definition, stream));
    }
  }

  /** Takes a definition of a recording that grows. */
  void add(int process, long clock, Definition definition) {
    next.add(new Next(clock, count++, process, definition, null));
  }

  /** The next definition if it is not later than a clock. */
  @Nullable Next until(long clock) {
    Next first = next.peek();
    if (first == null || first.clock() > clock) {
      return null;
    }
    next.remove();
    if (first.stream() != null) {
      add(first.stream());
    }
    return first;
  }
}
