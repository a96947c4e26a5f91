package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.path.CriticalPath;
import dev.kymo.analysis.path.PathStep;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;

/** {@code /api/path}: what decided how long a stretch of a thread took. */
public final class PathAnswer {
  private PathAnswer() {}

  public static Jobs.Work of(Timeline timeline, Query query) {
    int track = (int) query.number("track", 0, timeline.tracks().size() - 1L);
    long from = query.number("from", 0, Long.MAX_VALUE / 2);
    long to = query.number("to", from + 1, Long.MAX_VALUE / 2);
    return progress -> {
      CriticalPath path = CriticalPath.of(timeline, track, from, to, progress);
      return json -> write(json, path);
    };
  }

  private static void write(JsonGenerator json, CriticalPath path) throws IOException {
    json.writeStartObject();
    json.writeBooleanField("cut", path.cut());
    new Columns<>(json, path.steps())
        .texts("kind", step -> word(step.kind()))
        .ints("track", PathStep::track)
        .times("begin", PathStep::begin)
        .numbers("duration", PathStep::time)
        .ints("call", PathStep::call)
        .ints("state", PathStep::state)
        .numbers("object", step -> Integer.toUnsignedLong(step.object()))
        .numbers("running", step -> step.split().running())
        .numbers("interrupted", step -> step.split().interrupted())
        .numbers("runnable", step -> step.split().runnable())
        .numbers("blocked", step -> step.split().blocked())
        .numbers("unknown", step -> step.split().unknown());
    json.writeEndObject();
  }

  private static String word(PathStep.Kind kind) {
    return switch (kind) {
      case DID -> "did";
      case WAITED -> "waited";
      case MESSAGE -> "message";
      case NOT_BEGUN -> "not begun";
    };
  }
}
