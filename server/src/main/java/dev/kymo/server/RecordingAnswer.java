package dev.kymo.server;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.model.Timeline;
import dev.kymo.model.TracedProcess;
import dev.kymo.model.Track;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/** {@code /api/recording}: what there is, asked once. */
final class RecordingAnswer {
  private RecordingAnswer() {}

  static Answers.Body of(Timeline timeline) {
    return json -> write(json, timeline);
  }

  private static void write(JsonGenerator json, Timeline timeline) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", timeline.name());
    json.writeBooleanField("growing", timeline.growing());
    time(json, "duration", timeline.duration());
    time(json, "wallBegin", timeline.wallBegin());
    json.writeNumberField("methods", timeline.methods());
    json.writeArrayFieldStart("processes");
    for (TracedProcess process : timeline.processes()) {
      write(json, process, RecorderFacts.of(timeline, process.process()));
    }
    json.writeEndArray();
    json.writeArrayFieldStart("tracks");
    for (Track track : timeline.tracks()) {
      write(json, track);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("oddities");
    for (String oddity : timeline.oddities()) {
      json.writeString(oddity);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(
      JsonGenerator json, TracedProcess process, Optional<RecorderFacts> recorder)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("process", process.process());
    json.writeNumberField("pid", process.pid());
    json.writeNumberField("parentPid", process.parentPid());
    json.writeStringField("command", process.command());
    json.writeStringField("jvm", process.jvm());
    json.writeStringField("end", process.end());
    json.writeNumberField("lost", process.lost());
    RecorderFacts.write(json, recorder);
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Track track) throws IOException {
    json.writeStartObject();
    json.writeNumberField("id", track.id());
    json.writeNumberField("process", track.process());
    json.writeNumberField("thread", track.thread());
    json.writeStringField("kind", track.kind().name().toLowerCase(Locale.ROOT));
    json.writeNumberField("of", track.of());
    json.writeNumberField("counted", track.counted());
    json.writeStringField("name", track.name());
    json.writeBooleanField("virtual", track.virtual());
    json.writeNumberField("tid", track.tid());
    json.writeNumberField("javaId", track.javaId());
    time(json, "begin", track.begin());
    time(json, "end", track.end());
    json.writeNumberField("calls", track.calls());
    json.writeNumberField("events", track.events());
    json.writeNumberField("lost", track.lost());
    json.writeNumberField("depth", track.depth());
    json.writeEndObject();
  }

  /** Times are text: a browser's number would round them beyond 2^53. */
  static void time(JsonGenerator json, String name, long time) throws IOException {
    json.writeStringField(name, Long.toString(time));
  }
}
