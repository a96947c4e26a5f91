package dev.kymo.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.ThreadFilter;
import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.CallPass;
import dev.kymo.model.NanoClock;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A line for each event. */
final class EventLines implements EventSink {
  private static final String[] NAMES = {"enter", "leave", "unwind", "switch"};

  private final Terminal terminal;
  private final CallPass pass;
  private final NanoClock clock;
  private final long from;
  private final long to;
  private final ThreadFilter threads;
  private final FormatOptions format;
  private final DefinitionMerge definitions;
  private final JsonGenerator json;

  EventLines(
      Terminal terminal,
      CallPass pass,
      SelectionOptions selection,
      FormatOptions format,
      DefinitionMerge definitions)
      throws IOException {
    this.terminal = terminal;
    this.pass = pass;
    this.clock = pass.nanoClock();
    this.from = selection.from();
    this.to = selection.to();
    this.threads = selection.threads();
    this.format = format;
    this.definitions = definitions;
    this.json = terminal.jsonLines();
  }

  void head() {
    if (format.csv()) {
      terminal.line("time_ns,process,thread,thread_name,event,subject");
    }
  }

  void end() throws IOException {
    defineUntil(Long.MAX_VALUE);
    json.close();
    if (format.json()) {
      terminal.line("");
    }
  }

  @Override
  public void events(EventBatch batch) {
    Definition.TracedThread thread =
        pass.definitions().threadOrNameless(batch.process(), batch.thread());
    boolean wanted = threads.test(thread);
    for (int i = 0; i < batch.count(); i++) {
      long at = batch.clocks()[i];
      defineUntil(at);
      if (wanted) {
        int word = batch.words()[i];
        String subject = subject(batch.process(), word);
        line(at, batch.process(), thread, NAMES[EventBatch.id(word)], subject);
      }
    }
  }

  @Override
  public void gap(int process, int thread, long gapFrom, long gapTo, long lost) {
    Definition.TracedThread who = pass.definitions().threadOrNameless(process, thread);
    if (lost != 0 && threads.test(who)) {
      line(gapTo, process, who, "lost", lost < 0 ? "unknown" : Long.toString(lost));
    }
  }

  private String subject(int process, int word) {
    int payload = EventBatch.payload(word);
    return EventBatch.id(word) == ThreadRecord.SWITCH
        ? pass.definitions().threadOrNameless(process, payload).name()
        : pass.definitions().methods().get(process, payload).qualifiedName();
  }

  private void defineUntil(long until) {
    for (DefinitionMerge.Next next = definitions.until(until);
        next != null;
        next = definitions.until(until)) {
      Definition.TracedThread none = new Definition.TracedThread(0, 0, 0, 0, "");
      line(next.clock(), next.process(), none, "define", next.definition().toString());
    }
  }

  private void line(
      long at, int process, Definition.TracedThread thread, String event, String subject) {
    long time = at >= pass.base() ? clock.nanos(at) : -clock.duration(pass.base() - at);
    if ((time < from && from > 0) || time > to) {
      return;
    }
    if (format.json()) {
      jsonLine(time, process, thread, event, subject);
    } else if (format.csv()) {
      terminal.line(Csv.line(time, process, thread.thread(), thread.name(), event, subject));
    } else {
      String sign = time < 0 ? "-" : "";
      terminal.line(
          "%s%s %d/%d %s %s %s"
              .formatted(
                  sign,
                  Nanos.seconds(Math.abs(time)),
                  process,
                  thread.thread(),
                  thread.name(),
                  event,
                  subject));
    }
  }

  private void jsonLine(
      long time, int process, Definition.TracedThread thread, String event, String subject) {
    try {
      json.writeStartObject();
      json.writeNumberField("time", time);
      json.writeNumberField("process", process);
      json.writeNumberField("thread", thread.thread());
      json.writeStringField("threadName", thread.name());
      json.writeStringField("event", event);
      json.writeStringField("subject", subject);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
