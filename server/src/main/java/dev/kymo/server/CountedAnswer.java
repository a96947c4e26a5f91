package dev.kymo.server;

import dev.kymo.analysis.Selection;
import dev.kymo.model.CountedCalls;
import dev.kymo.model.Timeline;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code /api/counted}: calls that are in no tree, list or picture, because they were counted. */
final class CountedAnswer {
  private static final int MAX_METHODS = 1000;

  /**
   * A method's counted calls.
   *
   * @param mode how they were counted; by sample, if part of them was
   */
  private record Counted(int method, long calls, int mode) {
    static Counted of(CountedCalls counted) {
      return new Counted(counted.method(), counted.calls(), counted.mode());
    }

    Counted plus(Counted other) {
      return new Counted(method, calls + other.calls, Math.max(mode, other.mode));
    }
  }

  private CountedAnswer() {}

  static Jobs.Work of(Timeline timeline, Query query) {
    Selection selection = SelectionQuery.of(timeline, query);
    return progress -> {
      List<Counted> counted = counted(timeline, selection);
      long calls = counted.stream().mapToLong(Counted::calls).sum();
      List<Counted> most = counted.subList(0, Math.min(MAX_METHODS, counted.size()));
      return json -> {
        json.writeStartObject();
        json.writeNumberField("calls", calls);
        new Columns<>(json, most)
            .ints("method", Counted::method)
            .numbers("counted", Counted::calls)
            .ints("mode", Counted::mode);
        json.writeEndObject();
      };
    };
  }

  private static List<Counted> counted(Timeline timeline, Selection selection) {
    Map<Integer, Counted> byMethod = new HashMap<>();
    for (int track : selection.tracks()) {
      timeline
          .counts()
          .between(
              track,
              selection.from(),
              selection.to(),
              calls -> byMethod.merge(calls.method(), Counted.of(calls), Counted::plus));
    }
    return byMethod.values().stream()
        .filter(method -> method.calls() > 0)
        .sorted(
            Comparator.comparingLong(Counted::calls).reversed().thenComparingInt(Counted::method))
        .toList();
  }
}
