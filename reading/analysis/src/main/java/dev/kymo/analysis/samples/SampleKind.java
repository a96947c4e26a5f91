package dev.kymo.analysis.samples;

import dev.kymo.model.definitions.TracedEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A kind of samples that a recording may have.
 *
 * @param name of the event
 * @param units of the weights that they have: see {@link SampleWeight}
 */
public record SampleKind(String name, List<String> units) {
  private static final String CYCLES = "cycles";

  /** All kinds, the one that says best where time went first, otherwise in the order of numbers. */
  public static List<SampleKind> of(Collection<TracedEvent> events) {
    Map<String, TreeSet<String>> units = new LinkedHashMap<>();
    events.stream()
        .filter(TracedEvent::isSample)
        .sorted(Comparator.comparingInt(TracedEvent::number))
        .forEach(event -> {
          String unit = SampleWeight.of(event).unit();
          TreeSet<String> of =
              units.computeIfAbsent(event.definition().name(), none -> new TreeSet<>());
          if (!unit.isEmpty()) {
            of.add(unit);
          }
        });
    List<SampleKind> kinds = new ArrayList<>();
    units.forEach((name, of) -> kinds.add(new SampleKind(name, List.copyOf(of))));
    kinds.sort(Comparator.comparingInt(SampleKind::rank));
    return kinds;
  }

  /**
   * Whether a recording says more in samples than in calls: it has samples, and no process without
   * samples has calls. A tracer that samples records few calls, if any.
   *
   * @param calling processes that have calls
   */
  public static boolean sayMore(Collection<TracedEvent> events, Collection<Integer> calling) {
    Set<Integer> sampled =
        events.stream()
            .filter(TracedEvent::isSample)
            .map(TracedEvent::process)
            .collect(Collectors.toSet());
    return !sampled.isEmpty() && sampled.containsAll(calling);
  }

  private int rank() {
    boolean ofTime = units.contains(SampleWeight.NANOSECONDS) || units.contains(CYCLES);
    if (ofTime || name.endsWith(".ExecutionSample")) {
      return 0;
    }
    return units.contains(SampleWeight.BYTES) ? 2 : 1;
  }
}
