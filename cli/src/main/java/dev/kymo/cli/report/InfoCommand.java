package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.names.Quantity;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.editing.activity.ActivityTracks;
import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.reader.Recording;
import dev.kymo.session.ExitCode;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kymo info}: what is in a recording, and what is wrong with it. */
@Command(
    name = "info",
    mixinStandardHelpOptions = true,
    description = "Shows what is in a recording: processes, events, losses, oddities.")
public final class InfoCommand implements Callable<Integer> {
  private static final int MOST_OF_A_COMMAND = 1000;

  /** More processes than this are listed at the end. */
  private static final int MOST_AT_ONCE = 10;

  private final Terminal terminal;

  @Mixin private RecordingArgument recording;

  @Option(names = "--json", description = "Write JSON; times are nanoseconds.")
  private boolean json;

  @Option(
      names = "--steps",
      description = "List when the way in which methods are recorded changed, and why.")
  private boolean steps;

  public InfoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    try (Recording open = recording.openByItself(terminal)) {
      CallPass pass = CallPass.open(open);
      pass.run(CallSink.NONE, thread -> true, terminal.progress("reading"));
      RecordingFacts facts = RecordingFacts.of(pass);
      if (json) {
        writeJson(pass, facts);
      } else {
        writeText(pass, facts);
      }
    }
    return ExitCode.OK;
  }

  private void process(TracedProcess p) {
    boolean activities = p.pid() == 0 && p.command().equals(ActivityTracks.PROCESS);
    boolean kernel = p.pid() == 0 && p.jvm().isEmpty() && !activities;
    String pid = p.pid() == 0 ? "" : "pid " + p.pid() + ", "; // an imported file may not say it
    String machine = p.jvm().isEmpty() ? "" : ", " + p.jvm();
    fact("process " + p.process(), kernel ? "the kernel" : pid + p.end() + machine);
    fact("", shortened(p.command()));
  }

  private void writeText(CallPass pass, RecordingFacts f) {
    Recording open = pass.recording();
    fact("recording", open.name());
    pass.definitions()
        .recording()
        .ifPresent(r -> {
          fact("command", shortened(r.command()));
          if (!(isUnknown(r.host()) && isUnknown(r.kernel()))) {
            fact("host", "%s, %s".formatted(r.host(), r.kernel()));
          }
          if (r.processors() > 0) {
            fact("processor", "%s, %d processors".formatted(r.processor(), r.processors()));
          }
          if (!r.whenFull().isEmpty()) { // nobody recorded it into rings
            fact("when full", r.whenFull());
          }
        });
    fact(
        "clock",
        f.clock().name().equals(Clock.INSTRUCTIONS)
            ? "instructions, 1 ns is one instruction"
            : "%s, %d Hz".formatted(f.clock().name(), f.clock().frequency()));
    fact("begin", Instant.ofEpochSecond(0, f.wallBegin()).toString());
    fact("duration", Nanos.text(f.duration()));
    List<TracedProcess> processes = pass.definitions().processes();
    boolean many = processes.size() > MOST_AT_ONCE;
    if (many) {
      fact("processes", processes.size() + ", listed at the end");
    } else {
      processes.forEach(this::process);
    }
    fact("threads", Integer.toString(f.threads()));
    fact("events", Long.toString(f.events()));
    fact(
        "",
        "%d enter, %d leave, %d unwind, %d switch%s, %d definitions"
            .formatted(
                f.enters(), f.leaves(), f.unwinds(), f.switches(), others(f), f.definitions()));
    String each = f.events() == 0 ? "" : ", %.2f per event".formatted(f.bytesPerEvent());
    fact("bytes", "%d%s, %s a second".formatted(f.bytes(), each, Quantity.text(f.byteRate(), "B")));
    new BudgetFacts(pass, f, steps).tell(this::fact);
    fact("lost", lost(f));
    fact(
        "unmatched",
        "%d leaves without enter, %d enters without leave, %d open at the end"
            .formatted(f.unmatchedLeaves(), f.missingLeaves(), f.openCalls()));
    for (Definition.Notice notice : pass.definitions().notices()) {
      fact(
          "notice",
          (notice.process() == 0 ? "" : "process %d: ".formatted(notice.process()))
              + notice.text());
    }
    List<String> oddities = pass.oddities();
    fact("oddities", Long.toString(f.oddities()));
    oddities.forEach(text -> fact("", text));
    if (many) {
      processes.forEach(this::process);
    }
  }

  /** Whether the file that was imported did not say it. */
  private static boolean isUnknown(String fact) {
    return fact.isEmpty() || fact.equals("unknown");
  }

  private static String others(RecordingFacts f) {
    return (f.own() == 0 ? "" : ", %d of the program's own".formatted(f.own()))
        + (f.details() == 0 ? "" : ", %d detail".formatted(f.details()))
        + (f.counts() == 0 ? "" : ", %d count".formatted(f.counts()))
        + (f.kernelEvents() == 0 ? "" : ", %d of the kernel".formatted(f.kernelEvents()));
  }

  private static String lost(RecordingFacts f) {
    StringBuilder text = new StringBuilder();
    text.append(f.unknownGaps() > 0 ? "≥" : "").append(f.lost()).append(" events");
    if (f.gaps() > 0) {
      text.append(" in ").append(f.gaps()).append(" gaps");
    }
    if (f.unknownGaps() > 0) {
      text.append(", ").append(f.unknownGaps()).append(" of unknown size");
    }
    return text.toString();
  }

  /** A command may name thousands of files; JSON contains all of it. */
  private static String shortened(String command) {
    return command.length() <= MOST_OF_A_COMMAND
        ? command
        : "%s... %d characters more, see --json"
            .formatted(
                command.substring(0, MOST_OF_A_COMMAND), command.length() - MOST_OF_A_COMMAND);
  }

  private void fact(String name, String value) {
    terminal.line("%-12s %s".formatted(name, value).stripTrailing());
  }

  private void writeJson(CallPass pass, RecordingFacts f) throws IOException {
    try (JsonGenerator out = terminal.json()) {
      out.writeStartObject();
      out.writeStringField("recording", pass.recording().name());
      writeRecording(out, pass);
      out.writeStringField("clock", f.clock().name());
      out.writeNumberField("clockFrequency", f.clock().frequency());
      out.writeNumberField("wallBegin", f.wallBegin());
      out.writeNumberField("duration", f.duration());
      writeProcesses(out, pass.definitions().processes());
      writeCounts(out, f);
      new BudgetFacts(pass, f, true).write(out);
      JsonFields.strings(
          out,
          "notices",
          pass.definitions().notices().stream().map(Definition.Notice::text).toList());
      out.writeNumberField("oddityCount", f.oddities());
      JsonFields.strings(out, "oddities", pass.oddities());
      out.writeEndObject();
    }
    terminal.line("");
  }

  private static void writeRecording(JsonGenerator out, CallPass pass) throws IOException {
    Definition.Recording r = pass.definitions().recording().orElse(null);
    if (r != null) {
      out.writeStringField("version", r.version());
      out.writeStringField("command", r.command());
      out.writeStringField("host", r.host());
      out.writeStringField("kernel", r.kernel());
      out.writeStringField("processor", r.processor());
      out.writeNumberField("processors", r.processors());
      out.writeStringField("whenFull", r.whenFull());
    }
  }

  private static void writeProcesses(JsonGenerator out, List<TracedProcess> processes)
      throws IOException {
    out.writeArrayFieldStart("processes");
    for (TracedProcess p : processes) {
      out.writeStartObject();
      out.writeNumberField("process", p.process());
      out.writeNumberField("pid", p.pid());
      out.writeNumberField("parentPid", p.parentPid());
      out.writeStringField("jvm", p.jvm());
      out.writeStringField("command", p.command());
      out.writeStringField("end", p.end());
      out.writeNumberField("lost", p.lost());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static void writeCounts(JsonGenerator out, RecordingFacts f) throws IOException {
    out.writeNumberField("threads", f.threads());
    out.writeNumberField("events", f.events());
    out.writeNumberField("enter", f.enters());
    out.writeNumberField("leave", f.leaves());
    out.writeNumberField("unwind", f.unwinds());
    out.writeNumberField("switch", f.switches());
    out.writeNumberField("detail", f.details());
    out.writeNumberField("own", f.own());
    out.writeNumberField("count", f.counts());
    out.writeNumberField("definitions", f.definitions());
    out.writeNumberField("kernel", f.kernelEvents());
    out.writeNumberField("bytes", f.bytes());
    out.writeNumberField("lost", f.lost());
    out.writeBooleanField("atLeast", f.unknownGaps() > 0);
    out.writeNumberField("gaps", f.gaps());
    out.writeNumberField("unmatchedLeaves", f.unmatchedLeaves());
    out.writeNumberField("missingLeaves", f.missingLeaves());
    out.writeNumberField("openCalls", f.openCalls());
  }
}
