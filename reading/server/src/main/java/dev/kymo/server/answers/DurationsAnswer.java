package dev.kymo.server.answers;

import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.summary.DurationHistogram;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;

/** {@code /api/durations}: how long the calls of one method took. */
public final class DurationsAnswer {
  private DurationsAnswer() {}

  public static Jobs.Work of(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
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
