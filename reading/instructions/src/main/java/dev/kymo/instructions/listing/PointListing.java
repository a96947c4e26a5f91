package dev.kymo.instructions.listing;

import dev.kymo.instructions.calls.FoundPoint;
import dev.kymo.instructions.calls.InstructionTrace;
import dev.kymo.instructions.calls.PointKind;
import dev.kymo.instructions.calls.ThreadPoints;
import dev.kymo.instructions.trace.ProcessTrace;
import dev.kymo.instructions.trace.TracedModule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** The irregular points of a recording, in the order of the clock. */
public final class PointListing {
  /** More are only counted. No recording has more, unless somebody made it up. */
  private static final int MOST = 1 << 20;

  private final InstructionTrace trace;
  private final InstructionListing.MethodNames methodNames;
  private final Map<Integer, CodeNames> names = new HashMap<>();
  private final List<Place> places = new ArrayList<>();
  private final Map<PointKind, Long> unlisted = new EnumMap<>(PointKind.class);

  private record Place(int process, int thread, FoundPoint point) {
    /** A page that is executed. The kernel's are the same in all processes of a machine. */
    Page page() {
      return new Page(point.subject() < 0 ? 0 : process, point.subject());
    }
  }

  private record Page(int process, long address) {}

  /**
   * Which points are asked for.
   *
   * @param from clock
   * @param to clock that is not listed any more
   * @param threads by process and thread
   */
  public record Selection(
      long from, long to, Set<PointKind> kinds, BiPredicate<Integer, Integer> threads) {
    private boolean has(Place place) {
      FoundPoint point = place.point;
      return point.clock() >= from
          && point.clock() < to
          && kinds.contains(point.kind())
          && threads.test(place.process, place.thread);
    }
  }

  /**
   * Reads the points of a trace. If it does not have them they are found again, which takes as long
   * as at the end of the recording.
   *
   * @param critical names of functions in which interrupts are points, too; with any, points are
   *     found again
   * @throws IllegalArgumentException if a critical function was not executed
   */
  public PointListing(
      InstructionTrace trace, InstructionListing.MethodNames methodNames, Set<String> critical)
      throws IOException {
    this.trace = trace;
    this.methodNames = methodNames;
    trace
        .points(addresses(critical))
        .forEach((process, threads) -> threads.forEach((thread, of) -> add(process, thread, of)));
    places.sort(Comparator.comparingLong(place -> place.point.clock()));
    Set<Page> executed = new HashSet<>();
    places.removeIf(
        place -> place.point.kind() == PointKind.FIRST_EXECUTION && !executed.add(place.page()));
  }

  private Map<Integer, Set<Long>> addresses(Set<String> critical) throws IOException {
    Map<Integer, Set<Long>> addresses = new HashMap<>();
    for (String name : critical) {
      boolean executed = false;
      for (int process : trace.processes().keySet()) {
        Set<Long> found = names(process).addresses(name);
        addresses.computeIfAbsent(process, p -> new HashSet<>()).addAll(found);
        executed |= !found.isEmpty();
      }
      if (!executed) {
        throw new IllegalArgumentException("no function of this name was executed: " + name);
      }
    }
    return addresses;
  }

  private void add(int process, int thread, ThreadPoints of) {
    Map<PointKind, Long> listed = new EnumMap<>(PointKind.class);
    for (FoundPoint point : of.points()) {
      if (places.size() < MOST) {
        places.add(new Place(process, thread, point));
        listed.merge(point.kind(), 1L, Long::sum);
      }
    }
    for (PointKind kind : PointKind.values()) {
      unlisted.merge(kind, of.count(kind) - listed.getOrDefault(kind, 0L), Long::sum);
    }
  }

  /** How many points of a kind there are in the recording that are not in the list. */
  public long unlisted(PointKind kind) {
    return unlisted.getOrDefault(kind, 0L);
  }

  public int count(Selection selection) {
    return (int) places.stream().filter(selection::has).count();
  }

  public void list(Selection selection, Consumer<IrregularPoint> sink) throws IOException {
    for (Place place : places) {
      if (selection.has(place)) {
        sink.accept(point(place));
      }
    }
  }

  /**
   * Points of a selection.
   *
   * @param first how many are left out before
   * @param most how many are wanted
   */
  public List<IrregularPoint> list(Selection selection, int first, int most) throws IOException {
    List<IrregularPoint> list = new ArrayList<>();
    for (Place place : places.stream().filter(selection::has).skip(first).limit(most).toList()) {
      list.add(point(place));
    }
    return list;
  }

  private IrregularPoint point(Place place) throws IOException {
    FoundPoint point = place.point;
    CodeNames code = names(place.process);
    TracedModule module = code.module(point.address());
    return new IrregularPoint(
        point.clock(),
        place.process,
        place.thread,
        point.kind(),
        point.address(),
        module == null ? "" : module.name(),
        code.function(module, point.address()),
        text(code, point));
  }

  /** What is known of a point, besides its place. */
  private static String text(CodeNames code, FoundPoint point) {
    return switch (point.kind()) {
      case UNMATCHED_RETURN -> "to " + code.place(point.to());
      case LEFT_CALL -> left(code, point);
      case FAULT -> code.subject(point.subject());
      case PREEMPTED ->
          "by %s, for %d instructions".formatted(code.subject(point.subject()), point.count());
      case FIRST_EXECUTION -> "0x" + Long.toHexString(point.subject());
      case CRITICAL -> "%s in %s".formatted(code.subject(point.subject()), code.place(point.to()));
    };
  }

  private static String left(CodeNames code, FoundPoint point) {
    String calls =
        switch ((int) Math.min(point.count(), 3)) {
          case 1 -> "";
          case 2 -> " and 1 call in it";
          default -> " and %d calls in it".formatted(point.count() - 1);
        };
    String to = point.to() == 0 ? ", the thread has ended" : ", to " + code.place(point.to());
    return code.subject(point.subject()) + calls + to;
  }

  private CodeNames names(int process) throws IOException {
    CodeNames known = names.get(process);
    if (known == null) {
      ProcessTrace of = Objects.requireNonNull(trace.processes().get(process));
      known = new CodeNames(trace, of.facts(), methodNames);
      names.put(process, known);
    }
    return known;
  }
}
