package dev.kymo.server;

import dev.kymo.analysis.DurationHistogram;
import dev.kymo.analysis.PlacedCall;
import dev.kymo.analysis.Selection;
import dev.kymo.model.Timeline;

/** {@code /api/durations}: how long the calls of one method took. */
final class DurationsAnswer {
  private DurationsAnswer() {}

  static Jobs.Work of(Timeline timeline, Query query) {
    Selection selection = SelectionQuery.of(timeline, query);
    int method = (int) query.number("method", 0, timeline.methods() - 1L);
    return progress -> {
      DurationHistogram durations = DurationHistogram.of(timeline, selection, method, progress);
      return json -> {
        json.writeStartObject();
        json.writeNumberField("calls", durations.calls());
        Columns.column(json, "bound", durations.bounds());
        Columns.column(json, "count", durations.counts());
        json.writeObjectFieldStart("outliers");
        new Columns<>(json, durations.outliers())
            .ints("track", PlacedCall::track)
            .ints("depth", PlacedCall::depth)
            .times("begin", PlacedCall::begin)
            .numbers("duration", PlacedCall::duration);
        json.writeEndObject();
        json.writeEndObject();
      };
    };
  }
}
