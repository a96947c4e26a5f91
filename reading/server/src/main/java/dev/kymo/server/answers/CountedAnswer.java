package dev.kymo.server.answers;

import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.summary.CountedMethod;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.util.List;

/**
 * {@code /api/counted}: calls that no tree, list or picture contains, because they were counted.
 */
public final class CountedAnswer {
  private static final int MAX_METHODS = 1000;

  private CountedAnswer() {}

  public static Jobs.Work of(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    return progress -> {
      List<CountedMethod> counted = CountedMethod.of(timeline, selection);
      List<CountedMethod> most = counted.subList(0, Math.min(MAX_METHODS, counted.size()));
      return json -> {
        json.writeStartObject();
        json.writeNumberField("calls", counted.stream().mapToLong(CountedMethod::calls).sum());
        json.writeNumberField("time", counted.stream().mapToLong(CountedMethod::self).sum());
        new Columns<>(json, most)
            .ints("method", CountedMethod::method)
            .numbers("counted", CountedMethod::calls)
            .ints("mode", CountedMethod::mode)
            .numbers("self", CountedMethod::self)
            .ints("estimated", method -> method.estimated() ? 1 : 0)
            .ints("atLeast", method -> method.atLeast() ? 1 : 0);
        json.writeEndObject();
      };
    };
  }
}
