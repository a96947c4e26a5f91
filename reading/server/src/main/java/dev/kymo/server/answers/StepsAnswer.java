package dev.kymo.server;

import dev.kymo.model.ModeStep;
import dev.kymo.model.Timeline;
import java.util.List;

/** {@code /api/steps}: when methods were begun to be recorded in another way, and why. */
final class StepsAnswer {
  private static final int MAX = 20_000;

  private StepsAnswer() {}

  static Answers.Body of(Timeline timeline) {
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
