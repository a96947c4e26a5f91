package dev.kymo.server;

import dev.kymo.analysis.Latencies;
import dev.kymo.analysis.Latencies.Cell;
import dev.kymo.analysis.Selection;
import dev.kymo.model.Timeline;

/** {@code /api/latencies}: how long the calls of one method took when. */
final class LatenciesAnswer {
  private static final int MAX_COLUMNS = 400;

  private LatenciesAnswer() {}

  static Jobs.Work of(Timeline timeline, Query query) {
    Selection selection = SelectionQuery.of(timeline, query);
    int method = (int) query.number("method", 0, timeline.methods() - 1L);
    int columns = (int) query.number("columns", 1, MAX_COLUMNS);
    return progress -> {
      Latencies latencies = Latencies.of(timeline, selection, method, columns, progress);
      return json -> {
        json.writeStartObject();
        RecordingAnswer.time(json, "from", latencies.from());
        RecordingAnswer.time(json, "width", latencies.width());
        Columns.column(json, "bound", latencies.bounds());
        new Columns<>(json, latencies.cells())
            .ints("column", Cell::column)
            .ints("row", Cell::row)
            .numbers("count", Cell::count)
            .ints("track", cell -> cell.longest().track())
            .ints("depth", cell -> cell.longest().depth())
            .times("begin", cell -> cell.longest().begin())
            .numbers("duration", cell -> cell.longest().duration());
        json.writeEndObject();
      };
    };
  }
}
