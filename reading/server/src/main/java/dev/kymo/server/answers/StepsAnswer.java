package dev.kymo.server.answers;

import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Answers;
import java.util.List;

/** {@code /api/steps}: when the way in which methods are recorded changed, and why. */
public final class StepsAnswer {
  private static final int MAX = 20_000;

  private StepsAnswer() {}

  public static Answers.Body of(Timeline timeline) {
    List<ModeStep> all = timeline.steps();
    List<ModeStep> steps = all.subList(0, Math.min(MAX, all.size()));
    return json -> {
      json.writeStartObject();
      json.writeNumberField("cut", all.size() - steps.size());
      new Columns<>(json, steps)
          .times("time", ModeStep::time)
          .ints("process", ModeStep::process)
          .ints("method", ModeStep::method)
          .ints("mode", ModeStep::mode)
          .ints("before", ModeStep::before)
          .texts("reason", ModeStep::reason);
      json.writeEndObject();
    };
  }
}
