package dev.kymo.server.answers;

import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Answers;

/** {@code /api/growth}: how far a growing recording has been read. */
public final class GrowthAnswer {
  private GrowthAnswer() {}

  public static Answers.Body of(Timeline timeline) {
    return json -> {
      json.writeStartObject();
      json.writeBooleanField("growing", timeline.growing());
      json.writeNumberField("read", timeline.read());
      json.writeBooleanField("importing", timeline.importing());
      Answers.time(json, "duration", timeline.duration());
      json.writeNumberField("tracks", timeline.tracks().size());
      json.writeNumberField("methods", timeline.methods());
      json.writeEndObject();
    };
  }
}
