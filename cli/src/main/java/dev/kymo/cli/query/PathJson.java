package dev.kymo.cli.query;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.cause.CauseSplit;
import dev.kymo.analysis.path.CriticalPath;
import dev.kymo.analysis.path.PathStep;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.io.IOException;
import java.util.Locale;

/** The critical path of a call, for programs. */
final class PathJson {
  private PathJson() {}

  static void write(Terminal terminal, Timeline timeline, CriticalPath path) throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartObject();
      json.writeNumberField("begin", path.steps().getFirst().begin());
      json.writeNumberField("end", path.steps().getLast().end());
      json.writeBooleanField("cut", path.cut());
      json.writeArrayFieldStart("steps");
      for (PathStep step : path.steps()) {
        write(json, timeline, step);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    terminal.line("");
  }

  private static void write(JsonGenerator json, Timeline timeline, PathStep step)
      throws IOException {
    Track track = timeline.tracks().get(step.track());
    json.writeStartObject();
    json.writeStringField("kind", step.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '));
    json.writeNumberField("process", track.process());
    json.writeStringField("thread", track.name());
    json.writeNumberField("number", track.thread());
    json.writeNumberField("tid", track.tid());
    json.writeNumberField("begin", step.begin());
    json.writeNumberField("end", step.end());
    json.writeNumberField("duration", step.time());
    if (step.call() >= 0) {
      json.writeStringField("in", timeline.method(step.call()).qualifiedName());
    }
    CauseSplit split = step.split();
    json.writeNumberField("running", split.running());
    json.writeNumberField("interrupted", split.interrupted());
    json.writeNumberField("runnable", split.runnable());
    json.writeNumberField("blocked", split.blocked());
    json.writeNumberField("unknown", split.unknown());
    if (step.state() >= 0) {
      json.writeStringField("waitKind", timeline.method(step.state()).type());
      json.writeStringField("waitFor", timeline.method(step.state()).name());
      json.writeNumberField("object", Integer.toUnsignedLong(step.object()));
    }
    json.writeEndObject();
  }
}
