package dev.kymo.server;

import dev.kymo.model.Overview;
import dev.kymo.model.Timeline;

/** {@code /api/overview}: how much happened when. */
final class OverviewAnswer {
  private OverviewAnswer() {}

  static Answers.Body of(Timeline timeline) {
    Overview overview = timeline.overview();
    return json -> {
      json.writeStartObject();
      RecordingAnswer.time(json, "width", overview.width());
      Columns.column(json, "events", overview.events());
      Columns.column(json, "lost", overview.lost());
      json.writeEndObject();
    };
  }
}
