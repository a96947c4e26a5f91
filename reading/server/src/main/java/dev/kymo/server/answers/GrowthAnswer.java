package dev.kymo.server;

import dev.kymo.model.Timeline;

/** {@code /api/growth}: how far a recording has come that is still being written. */
final class GrowthAnswer {
  private GrowthAnswer() {}

  static Answers.Body of(Timeline timeline) {
    return json -> {
      json.writeStartObject();
      json.writeBooleanField("growing", timeline.growing());
      json.writeNumberField("read", timeline.read());
      RecordingAnswer.time(json, "duration", timeline.duration());
      json.writeNumberField("tracks", timeline.tracks().size());
      json.writeNumberField("methods", timeline.methods());
      json.writeEndObject();
    };
  }
}
