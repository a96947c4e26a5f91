package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.locks.LockCycle;
import dev.kymo.analysis.locks.LockPlace;
import dev.kymo.analysis.locks.LockReport;
import dev.kymo.analysis.locks.LockWait;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.TracedMethod;
import java.io.IOException;
import java.util.List;

/** The longest waits for locks and the possible deadlocks, for programs. */
final class LockJson {
  private final JsonGenerator json;

  private LockJson(JsonGenerator json) {
    this.json = json;
  }

  /** Writes what a report says besides its rows. */
  static void write(JsonGenerator json, LockReport report) throws IOException {
    new LockJson(json).write(report);
  }

  private void write(LockReport report) throws IOException {
    waits("longestForLocks", report.longestForLocks());
    waits("longestForOthers", report.longestForOthers());
    json.writeArrayFieldStart("deadlocks");
    for (LockCycle cycle : report.cycles()) {
      json.writeStartArray();
      for (LockCycle.Step step : cycle.steps()) {
        step(step);
      }
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeBooleanField("moreDeadlocks", report.moreCycles());
    JsonFields.strings(json, "oddities", report.oddities());
  }

  private void waits(String name, List<LockWait> waits) throws IOException {
    json.writeArrayFieldStart(name);
    for (LockWait w : waits) {
      json.writeStartObject();
      json.writeStringField("object", w.object());
      thread(w.thread());
      json.writeNumberField("begin", w.begin());
      json.writeNumberField("time", w.time());
      json.writeBooleanField("acquired", w.acquired());
      json.writeBooleanField("open", w.open());
      place("place", w.place());
      if (w.holder().isPresent()) {
        LockWait.Holder holder = w.holder().get();
        json.writeObjectFieldStart("holder");
        thread(holder.thread());
        json.writeNumberField("since", holder.since());
        place("place", holder.place());
        json.writeEndObject();
      }
      if (w.releaser().isPresent()) {
        json.writeStringField("releaser", w.releaser().get().name());
        json.writeNumberField("releaserNumber", w.releaser().get().thread());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void step(LockCycle.Step step) throws IOException {
    json.writeStartObject();
    thread(step.thread());
    json.writeStringField("held", step.held());
    json.writeBooleanField("heldForReading", step.heldShared());
    place("heldAt", step.heldAt());
    json.writeStringField("wanted", step.wanted());
    json.writeBooleanField("wantedForReading", step.wantedShared());
    place("wantedAt", step.wantedAt());
    json.writeBooleanField("open", step.open());
    json.writeEndObject();
  }

  private void thread(ThreadCalls thread) throws IOException {
    json.writeStringField("thread", name(thread));
    json.writeNumberField("threadNumber", thread.thread());
    json.writeNumberField("process", thread.process());
  }

  private void place(String name, LockPlace place) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("time", place.time());
    json.writeStringField("caller", hex(place.caller()));
    if (place.code().isPresent()) {
      TracedMethod code = place.code().get();
      json.writeStringField("function", code.qualifiedName());
      json.writeStringField("file", code.source());
      json.writeNumberField("line", code.line());
    }
    JsonFields.strings(
        json, "calls", place.calls().stream().map(TracedMethod::qualifiedName).toList());
    json.writeEndObject();
  }

  private static String name(ThreadCalls thread) {
    return thread.definition().name();
  }

  private static String hex(long number) {
    return "0x" + Long.toHexString(number);
  }
}
