package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.cause.LongState;
import dev.kymo.analysis.cause.ThreadReport;
import dev.kymo.analysis.cause.ThreadTimes;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.cli.words.CallId;
import dev.kymo.cli.words.KernelWords;
import dev.kymo.cli.words.NotRecorded;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.tables.ThreadsTable;
import java.io.IOException;
import java.util.List;

/** How long each thread ran and waited, and the longest waits. */
final class ThreadTable {
  private final Terminal terminal;
  private final CallPass pass;
  private final ThreadReport report;

  ThreadTable(Terminal terminal, CallPass pass, ThreadReport report) {
    this.terminal = terminal;
    this.pass = pass;
    this.report = report;
  }

  void write(RowOptions options, List<ThreadTimes> all) throws IOException {
    List<String> missing = NotRecorded.of(report.recordedStates());
    TableReport<ThreadTimes> table =
        new TableReport<>(
            terminal,
            options,
            ThreadsTable.of(pass.definitions().processes(), report.recordedStates()),
            all);
    if (table.isEmpty()) {
      NotRecorded.tell(terminal, options.forPeople(), pass, TrackKind.SCHEDULED);
    }
    table.write(
        json -> {},
        json -> {
          JsonFields.strings(json, "notRecorded", missing);
          writeStates(json, "longestBlocked", report.longestBlocked());
          writeStates(json, "longestRunnable", report.longestRunnable());
          JsonFields.strings(json, "oddities", pass.oddities());
        },
        () -> {
          missing.forEach(terminal::line);
          writeStates("longest waits", report.longestBlocked());
          writeStates("longest without a processor", report.longestRunnable());
        });
    if (options.csv()) {
      missing.forEach(terminal::warn);
    }
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

  private static void writeStates(JsonGenerator json, String name, List<LongState> states)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (LongState s : states) {
      json.writeStartObject();
      json.writeStringField("id", id(s));
      json.writeStringField("threadName", s.name());
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
