package dev.kymo.analysis.samples;

import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.reader.EventBatch;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** The samples of a part of a recording, by kind, process and stack: their texts are not needed. */
final class SampleSums {
  private final Predicate<Group> wanted;
  private final Map<Group, SampleCounts> counts =
      new TreeMap<>(
          Comparator.comparing(Group::kind)
              .thenComparingInt(Group::process)
              .thenComparing(Group::unit));

  /** By number of the event; empty of events that are no samples. */
  private final Map<Integer, Optional<Reader>> readers = new HashMap<>();

  /**
   * Samples that are counted together.
   *
   * @param kind name of the event
   * @param unit of their weights, empty if they have none
   */
  record Group(String kind, int process, String unit) {}

  private record Reader(int stack, SampleWeight weight, SampleCounts counts, boolean wanted) {}

  /** Without samples yet; of groups that are not wanted samples are only counted. */
  SampleSums(Predicate<Group> wanted) {
    this.wanted = wanted;
  }

  /** Adds an event, if it is a sample. */
  void add(TracedEvent event, EventBatch batch, int word) {
    Optional<Reader> known = readers.get(event.number());
    if (known == null) {
      known = event.isSample() ? Optional.of(reader(event)) : Optional.empty();
      readers.put(event.number(), known);
    }
    if (known.isPresent()) {
      Reader reader = known.get();
      if (reader.wanted) {
        int stack = (int) event.number(batch, word, reader.stack);
        reader.counts.add(stack, reader.weight.of(event, batch, word));
      } else {
        reader.counts.add();
      }
    }
  }

  private Reader reader(TracedEvent event) {
    SampleWeight weight = SampleWeight.of(event);
    Group group = new Group(event.definition().name(), event.process(), weight.unit());
    SampleCounts of = counts.computeIfAbsent(group, none -> new SampleCounts());
    return new Reader(event.stackField(), weight, of, wanted.test(group));
  }

  /** All groups with their samples, by kind, then by process. */
  void forEach(BiConsumer<Group, SampleCounts> sink) {
    counts.forEach(sink);
  }
}
