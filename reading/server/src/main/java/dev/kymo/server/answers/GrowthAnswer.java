package dev.kymo.server.answers;

import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Answers;
import org.jspecify.annotations.Nullable;

/** {@code /api/growth}: how far a growing recording has been read. */
public final class GrowthAnswer {
  private GrowthAnswer() {}

  /**
   * The answer.
   *
   * @param edition which one it is, if others may take its place
   */
  public static Answers.Body of(Timeline timeline, @Nullable Edition edition) {
    return json -> {
      json.writeStartObject();
      json.writeBooleanField("growing", timeline.growing());
      json.writeNumberField("read", timeline.read());
      json.writeBooleanField("importing", timeline.importing());
      Answers.time(json, "duration", timeline.duration());
      json.writeNumberField("tracks", timeline.tracks().size());
      json.writeNumberField("methods", timeline.methods());
      Edition.write(json, edition);
      json.writeEndObject();
    };
  }
}
