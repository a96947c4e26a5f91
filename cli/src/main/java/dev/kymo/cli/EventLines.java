package dev.kymo.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.ThreadFilter;
import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.CallPass;
import dev.kymo.model.ModeStep;
import dev.kymo.model.NanoClock;
import dev.kymo.model.TracedEvent;
import dev.kymo.model.TracedMethod;
import dev.kymo.model.TrackKind;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import dev.kymo.reader.KernelMerge;
import dev.kymo.reader.KernelStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A line for each event. */
final class EventLines implements EventSink {
  private static final String[] NAMES = {"enter", "leave", "unwind", "switch", "detail"};

  /** What is not a thread's. */
  private static final Definition.TracedThread NOBODY = new Definition.TracedThread(0, 0, 0, 0, "");

  private final Terminal terminal;
  private final CallPass pass;
  private final NanoClock clock;
  private final long from;
  private final long to;
  private final ThreadFilter threads;
  private final FormatOptions format;
  private final DefinitionMerge definitions;
  private final KernelMerge kernel;
  private final JsonGenerator json;
  private final Iterator<ModeStep> steps;
  private @Nullable ModeStep nextStep;

  EventLines(
      Terminal terminal,
      CallPass pass,
      SelectionOptions selection,
      FormatOptions format,
      DefinitionMerge definitions,
      KernelMerge kernel)
      throws IOException {
    this.terminal = terminal;
    this.pass = pass;
    this.clock = pass.nanoClock();
    this.from = selection.from();
    this.to = selection.to();
    this.threads = selection.threads();
    this.format = format;
    this.definitions = definitions;
    this.kernel = kernel;
    this.json = terminal.jsonLines();
    this.steps = pass.definitions().steps().iterator();
    this.nextStep = steps.hasNext() ? steps.next() : null;
  }

  void head() {
    if (format.csv()) {
      terminal.line("time_ns,process,thread,thread_name,event,subject");
    }
  }

  void end() throws IOException {
    untilNow(Long.MAX_VALUE);
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
      untilNow(at);
      if (wanted) {
        int word = batch.words()[i];
        String subject = subject(batch, word);
        line(at, batch.process(), thread, name(batch, word), subject);
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

  private String name(EventBatch batch, int word) {
    return EventBatch.isEvent(word) ? own(batch, word).qualifiedName() : NAMES[EventBatch.id(word)];
  }

  private TracedEvent own(EventBatch batch, int word) {
    int number = pass.definitions().methods().get(batch.process(), batch.event(word)).id();
    return pass.definitions().event(number);
  }

  private String subject(EventBatch batch, int word) {
    int process = batch.process();
    int payload = EventBatch.payload(word);
    return switch (EventBatch.id(word)) {
      case ThreadRecord.SWITCH -> pass.definitions().threadOrNameless(process, payload).name();
      case ThreadRecord.DETAIL -> detail(process, batch.details()[payload]);
      case ThreadRecord.EVENT, ThreadRecord.EVENT_DATA -> own(batch, word).text(batch, word);
      default -> {
        TracedMethod method = pass.definitions().methods().get(process, payload);
        yield calls(batch) ? method.qualifiedName() : WaitText.name(method);
      }
    };
  }

  private boolean calls(EventBatch batch) {
    return TrackKind.of(pass.definitions().threadOrNameless(batch.process(), batch.thread()))
        == TrackKind.CALLS;
  }

  private String detail(int process, long detail) {
    int other = ThreadRecord.detailOther(detail);
    String who =
        other == 0 ? "" : " other=" + pass.definitions().threadOrNameless(process, other).name();
    return "object=" + Integer.toHexString(ThreadRecord.detailObject(detail)) + who;
  }

  private void untilNow(long now) {
    ModeStep step = nextStep;
    while (step != null && step.time() <= now) {
      defineUntil(step.time());
      line(step.time(), step.process(), NOBODY, "step", Modes.text(pass, step));
      step = steps.hasNext() ? steps.next() : null;
    }
    nextStep = step;
    defineUntil(now);
    for (KernelStream event = kernel.until(now); event != null; event = kernel.until(now)) {
      kernelLine(event);
    }
  }

  private void kernelLine(KernelStream event) {
    Definition.TracedThread cpu =
        new Definition.TracedThread(
            0, Definition.TracedThread.CPU, 0, event.tid(), "CPU " + event.cpu());
    if (threads.test(cpu)) {
      StringBuilder subject = new StringBuilder("tid=").append(event.tid());
      for (KernelEventFormat.Field field : event.format().fields()) {
        subject.append(' ').append(field.name()).append('=').append(event.text(field));
      }
      line(event.clock(), event.process(), cpu, event.format().toString(), subject.toString());
    }
  }

  private void defineUntil(long until) {
    for (DefinitionMerge.Next next = definitions.until(until);
        next != null;
        next = definitions.until(until)) {
      line(next.clock(), next.process(), NOBODY, "define", next.definition().toString());
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
