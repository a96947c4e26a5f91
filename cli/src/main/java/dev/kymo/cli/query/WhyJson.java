package dev.kymo.cli.query;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.cause.CallCause;
import dev.kymo.analysis.cause.CausePart;
import dev.kymo.analysis.cause.CauseSplit;
import dev.kymo.analysis.cause.Siblings;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.words.CallFlags;
import dev.kymo.cli.words.CallId;
import dev.kymo.cli.words.NotRecorded;
import dev.kymo.model.definitions.RecordedStates;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.io.IOException;
import java.util.List;

/** The causes of a call's time, for programs. */
final class WhyJson {
  private final JsonGenerator json;
  private final Timeline timeline;

  private WhyJson(JsonGenerator json, Timeline timeline) {
    this.json = json;
    this.timeline = timeline;
  }

  static void write(Terminal terminal, Timeline timeline, CallCause cause) throws IOException {
    try (JsonGenerator json = terminal.json()) {
      new WhyJson(json, timeline).write(cause);
    }
    terminal.line("");
  }

  private void write(CallCause cause) throws IOException {
    CallDetail call = cause.call();
    Track track = timeline.tracks().get(call.track());
    TracedMethod method = timeline.method(call.method());
    json.writeStartObject();
    json.writeStringField(
        "id", CallId.text(track.process(), track.thread(), call.depth(), call.begin()));
    json.writeStringField("method", method.qualifiedName());
    json.writeStringField("thread", track.name());
    json.writeNumberField("tid", track.tid());
    json.writeNumberField("begin", call.begin());
    json.writeNumberField("end", call.end());
    json.writeNumberField("duration", call.end() - call.begin());
    json.writeNumberField("self", cause.self());
    json.writeNumberField("counted", cause.counted());
    JsonFields.strings(json, "flags", CallFlags.words(call.flags()));
    json.writeBooleanField("kernel", cause.scheduled() >= 0);
    json.writeFieldName("split");
    write(cause.split(), cause.recorded());
    JsonFields.strings(
        json, "notRecorded", cause.scheduled() < 0 ? List.of() : NotRecorded.of(cause.recorded()));
    parts("states", cause.states());
    parts("waits", cause.waits());
    json.writeArrayFieldStart("children");
    for (CallCause.Child child : cause.children()) {
      json.writeStartObject();
      json.writeStringField("method", timeline.method(child.method()).qualifiedName());
      json.writeNumberField("calls", child.calls());
      json.writeNumberField("time", child.time());
      json.writeEndObject();
    }
    json.writeEndArray();
    siblings(cause.siblings(), cause.recorded());
    JsonFields.strings(json, "oddities", timeline.oddities());
    json.writeEndObject();
  }

  private void write(CauseSplit split, RecordedStates recorded) throws IOException {
    json.writeStartObject();
    json.writeNumberField("running", split.running());
    JsonFields.number(json, "interrupted", recorded.interrupts(), split.interrupted());
    json.writeNumberField("runnable", split.runnable());
    json.writeNumberField("blocked", split.blocked());
    json.writeNumberField("unknown", split.unknown());
    JsonFields.number(json, "faults", recorded.faults(), split.faults());
    json.writeEndObject();
  }

  private void parts(String name, List<CausePart> parts) throws IOException {
    json.writeArrayFieldStart(name);
    for (CausePart part : parts) {
      TracedMethod state = timeline.method(part.method());
      json.writeStartObject();
      json.writeStringField("kind", state.type());
      json.writeStringField("what", state.name());
      json.writeNumberField("object", Integer.toUnsignedLong(part.object()));
      json.writeStringField("other", part.other() < 0 ? "" : WhyText.name(timeline, part.other()));
      json.writeNumberField("count", part.count());
      json.writeNumberField("time", part.time());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void siblings(Siblings siblings, RecordedStates recorded) throws IOException {
    json.writeObjectFieldStart("siblings");
    json.writeNumberField("count", siblings.count());
    json.writeNumberField("looked", siblings.looked());
    json.writeNumberField("explained", siblings.explained());
    json.writeNumberField("duration", siblings.duration());
    json.writeFieldName("split");
    if (siblings.split().isPresent()) {
      write(siblings.split().get(), recorded);
    } else {
      json.writeNull();
    }
    json.writeEndObject();
  }
}
