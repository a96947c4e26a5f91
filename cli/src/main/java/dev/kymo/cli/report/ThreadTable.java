package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.cause.LongState;
import dev.kymo.analysis.cause.ThreadReport;
import dev.kymo.analysis.cause.ThreadTimes;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Percent;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.cli.words.CallId;
import dev.kymo.cli.words.KernelWords;
import dev.kymo.cli.words.NotRecorded;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.RecordedStates;
import dev.kymo.model.definitions.TracedProcess;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How long each thread ran and waited, and the longest waits. */
final class ThreadTable {
  private static final int COMMAND = 40;

  private final Terminal terminal;
  private final ThreadReport report;
  private final List<ThreadTimes> rows;
  private final CallPass pass;
  private final RecordedStates recorded;

  /** By the kernel's number of the process. */
  private final Map<Long, String> commands = new HashMap<>();

  ThreadTable(Terminal terminal, CallPass pass, ThreadReport report, List<ThreadTimes> rows) {
    this.terminal = terminal;
    this.pass = pass;
    this.report = report;
    this.rows = rows;
    this.recorded = report.recordedStates();
    for (TracedProcess process : pass.definitions().processes()) {
      commands.put((long) process.pid(), process.command());
    }
  }

  void writeText() {
    TextTable table = new TextTable();
    table.row(
        "wall",
        "running",
        "",
        "runnable",
        "",
        "blocked",
        "",
        "unknown",
        "",
        "interrupted",
        "faults",
        "wake-ups",
        "tid",
        "pid",
        "thread");
    for (ThreadTimes r : rows) {
      String command = commands.getOrDefault(pid(r), "").replaceFirst("^\\S*/", "");
      String shorter =
          command.length() > COMMAND ? command.substring(0, COMMAND - 1) + "…" : command;
      table.row(
          Nanos.text(r.wall()),
          Nanos.text(r.running()),
          Percent.text(r.running(), r.wall()),
          Nanos.text(r.runnable()),
          Percent.text(r.runnable(), r.wall()),
          Nanos.text(r.blocked()),
          Percent.text(r.blocked(), r.wall()),
          Nanos.text(r.unknown()),
          Percent.text(r.unknown(), r.wall()),
          recorded.interrupts() ? Nanos.text(r.interrupted()) : NotRecorded.DASH,
          recorded.faults() ? Long.toString(r.faults()) : NotRecorded.DASH,
          Long.toString(r.wakeUps()),
          Integer.toString(tid(r)),
          Long.toString(pid(r)),
          r.name() + (shorter.isEmpty() ? "" : ", " + shorter));
    }
    table.write(terminal);
    if (rows.stream().anyMatch(ThreadTimes::atLeast)) {
      terminal.line("events were lost, what happened then is unknown; 'kymo info' says how many");
    }
    NotRecorded.of(recorded).forEach(terminal::line);
    writeStates("longest waits", report.longestBlocked());
    writeStates("longest without a processor", report.longestRunnable());
  }

  private static int tid(ThreadTimes row) {
    return row.thread().definition().tid();
  }

  private static long pid(ThreadTimes row) {
    return row.thread().definition().javaId();
  }

  private void writeStates(String title, List<LongState> states) {
    if (states.isEmpty()) {
      return;
    }
    terminal.line("");
    TextTable table = new TextTable();
    table.row("time", "at", title);
    for (LongState s : states) {
      String words = KernelWords.of(s.state(), s.other()) + (s.open() ? ", has not ended" : "");
      table.row(Nanos.text(s.time()), id(s), s.name() + ": " + words);
    }
    table.write(terminal);
  }

  private static String id(LongState state) {
    return CallId.text(state.thread().process(), state.thread().thread(), 0, state.begin());
  }

  void writeCsv() {
    terminal.line(
        "thread,tid,pid,command,java_process,java_thread,wall_ns,running_ns,runnable_ns,blocked_ns,"
            + "unknown_ns,interrupted_ns,faults,wake_ups,at_least");
    for (ThreadTimes r : rows) {
      terminal.csv(
          r.name(),
          tid(r),
          pid(r),
          commands.getOrDefault(pid(r), ""),
          r.owner().map(o -> Integer.toString(o.process())).orElse(""),
          r.owner().map(o -> Integer.toString(o.thread())).orElse(""),
          r.wall(),
          r.running(),
          r.runnable(),
          r.blocked(),
          r.unknown(),
          recorded.interrupts() ? r.interrupted() : "",
          recorded.faults() ? r.faults() : "",
          r.wakeUps(),
          r.atLeast());
    }
    NotRecorded.of(recorded).forEach(terminal::warn);
  }

  void writeJson() throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartObject();
      json.writeArrayFieldStart("threads");
      for (ThreadTimes r : rows) {
        write(json, r);
      }
      json.writeEndArray();
      JsonFields.strings(json, "notRecorded", NotRecorded.of(recorded));
      writeStates(json, "longestBlocked", report.longestBlocked());
      writeStates(json, "longestRunnable", report.longestRunnable());
      JsonFields.strings(json, "oddities", pass.oddities());
      json.writeEndObject();
    }
    terminal.line("");
  }

  private void write(JsonGenerator json, ThreadTimes r) throws IOException {
    json.writeStartObject();
    json.writeStringField("thread", r.name());
    json.writeNumberField("tid", tid(r));
    json.writeNumberField("pid", pid(r));
    json.writeStringField("command", commands.getOrDefault(pid(r), ""));
    if (r.owner().isPresent()) {
      json.writeNumberField("javaProcess", r.owner().get().process());
      json.writeNumberField("javaThread", r.owner().get().thread());
    }
    json.writeNumberField("wall", r.wall());
    json.writeNumberField("running", r.running());
    json.writeNumberField("runnable", r.runnable());
    json.writeNumberField("blocked", r.blocked());
    json.writeNumberField("unknown", r.unknown());
    JsonFields.number(json, "interrupted", recorded.interrupts(), r.interrupted());
    JsonFields.number(json, "faults", recorded.faults(), r.faults());
    json.writeNumberField("wakeUps", r.wakeUps());
    json.writeBooleanField("atLeast", r.atLeast());
    json.writeEndObject();
  }

  private static void writeStates(JsonGenerator json, String name, List<LongState> states)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (LongState s : states) {
      json.writeStartObject();
      json.writeStringField("id", id(s));
      json.writeStringField("thread", s.name());
      json.writeStringField("what", s.state().name());
      json.writeNumberField("begin", s.begin());
      json.writeNumberField("time", s.time());
      json.writeStringField("other", s.other());
      json.writeBooleanField("open", s.open());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
