package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.summary.DurationMap;
import dev.kymo.analysis.summary.DurationMap.Cell;
import dev.kymo.analysis.summary.Latencies;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;

/** {@code /api/latencies}: how long the calls of one method took when. */
public final class LatenciesAnswer {
  private static final int MAX_COLUMNS = 400;

  private LatenciesAnswer() {}

  public static Jobs.Work of(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    int method = (int) query.number("method", 0, timeline.methods() - 1L);
    int columns = (int) query.number("columns", 1, MAX_COLUMNS);
    return progress -> {
      Latencies latencies = Latencies.of(timeline, selection, method, columns, progress);
      return json -> {
        json.writeStartObject();
        Answers.time(json, "from", latencies.from());
        Answers.time(json, "width", latencies.width());
        write(json, latencies.map());
        json.writeEndObject();
      };
    };
  }

  /** Writes cells, each with its longest call. */
  static void write(JsonGenerator json, DurationMap map) throws IOException {
    Columns.column(json, "bound", map.bounds());
    new Columns<>(json, map.cells())
        .ints("column", Cell::column)
        .ints("row", Cell::row)
        .numbers("count", Cell::count)
        .ints("track", cell -> cell.longest().track())
        .ints("depth", cell -> cell.longest().depth())
        .times("begin", cell -> cell.longest().begin())
        .numbers("duration", cell -> cell.longest().duration());
  }
}
