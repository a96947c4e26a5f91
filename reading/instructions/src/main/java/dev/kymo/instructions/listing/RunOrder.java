package dev.kymo.instructions.listing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Puts lines in the order of the clock; those of the same clock stay in the order in which they
 * were found, but what is not an instruction comes first: data was taken before the instruction.
 */
final class RunOrder {
  private static final Comparator<ListedRun> ORDER =
      (one, other) ->
          one.clock() != other.clock()
              ? Long.compare(one.clock(), other.clock())
              : Boolean.compare(one.isInstructions(), other.isInstructions());

  private RunOrder() {}

  /** Hands out runs in order; those that have lines at the same time are taken apart. */
  static void each(List<ListedRun> runs, Consumer<ListedRun> sink) {
    for (int i = 0; i < runs.size(); i++) {
      runs.get(i).order(i);
    }
    runs.sort(ORDER);
    int from = 0;
    while (from < runs.size()) {
      int to = from + 1;
      long end = runs.get(from).endClock();
      while (to < runs.size() && runs.get(to).clock() < end) {
        end = Math.max(end, runs.get(to).endClock());
        to++;
      }
      if (to == from + 1) {
        sink.accept(runs.get(from));
      } else {
        parts(runs.subList(from, to)).forEach(sink);
      }
      from = to;
    }
  }

  private static List<ListedRun> parts(List<ListedRun> runs) {
    runs.sort(Comparator.comparingInt(ListedRun::order));
    List<ListedRun> parts = new ArrayList<>();
    for (ListedRun run : runs) {
      for (int i = 0; i < run.size(); i++) {
        parts.add(run.part(i));
      }
    }
    parts.sort(ORDER);
    return parts;
  }
}
