package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.events.CounterStatistics;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** {@code /api/counters}: what the counters of the program's own were in a selection. */
public final class CountersAnswer {
  private static final int MAX_ROWS = 10_000;

  private CountersAnswer() {}

  public static Jobs.Work of(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    return progress -> {
      List<CounterStatistics> all = CounterStatistics.of(timeline, selection, progress);
      List<CounterStatistics> rows = all.subList(0, Math.min(MAX_ROWS, all.size()));
      return json -> {
        json.writeStartObject();
        json.writeNumberField("cut", all.size() - rows.size());
        new Columns<>(json, rows)
            .ints("track", CounterStatistics::track)
            .ints("method", CounterStatistics::event)
            .numbers("count", CounterStatistics::count);
        values(json, "min", rows, CounterStatistics::min);
        values(json, "max", rows, CounterStatistics::max);
        values(json, "mean", rows, CounterStatistics::mean);
        values(json, "last", rows, CounterStatistics::last);
        json.writeEndObject();
      };
    };
  }

  private static void values(
      JsonGenerator json,
      String name,
      List<CounterStatistics> rows,
      ToDoubleFunction<CounterStatistics> fact)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (CounterStatistics row : rows) {
      UserEventsAnswer.value(json, fact.applyAsDouble(row));
    }
    json.writeEndArray();
  }
}
