package dev.kymo.cli.print;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.words.CallFlags;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A line of JSON or CSV for each call, in the order in which calls end. */
final class CallLines implements CallSink {
  private final Terminal terminal;
  private final CallPass pass;
  private final NanoClock begins;
  private final NanoClock ends;
  private final long from;
  private final long to;
  private final JsonGenerator json;
  private final boolean asJson;

  CallLines(Terminal terminal, CallPass pass, long from, long to, boolean asJson)
      throws IOException {
    this.terminal = terminal;
    this.pass = pass;
    this.begins = pass.nanoClock();
    this.ends = pass.nanoClock();
    this.from = from;
    this.to = to;
    this.asJson = asJson;
    this.json = terminal.jsonLines();
  }

  void head() {
    if (!asJson) {
      terminal.line("process,thread,thread_name,depth,method,begin_ns,end_ns,duration_ns,flags");
    }
  }

  void end() throws IOException {
    json.close();
    if (asJson) {
      terminal.line("");
    }
  }

  @Override
  public void call(CallCursor call) {
    long beginTime = begins.nanos(call.begin());
    long endTime = ends.nanos(call.end());
    if (endTime < from || beginTime > to) {
      return;
    }
    ThreadCalls thread = call.thread();
    String name = pass.definitions().methods().get(call.method()).qualifiedName();
    if (!asJson) {
      terminal.csv(
          thread.process(),
          thread.thread(),
          thread.definition().name(),
          call.depth(),
          name,
          beginTime,
          endTime,
          endTime - beginTime,
          String.join(" ", CallFlags.words(call.flags())));
      return;
    }
    try {
      json.writeStartObject();
      json.writeNumberField("process", thread.process());
      json.writeNumberField("thread", thread.thread());
      json.writeStringField("threadName", thread.definition().name());
      json.writeNumberField("depth", call.depth());
      json.writeStringField("method", name);
      json.writeNumberField("begin", beginTime);
      json.writeNumberField("end", endTime);
      json.writeNumberField("duration", endTime - beginTime);
      JsonFields.strings(json, "flags", CallFlags.words(call.flags()));
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
