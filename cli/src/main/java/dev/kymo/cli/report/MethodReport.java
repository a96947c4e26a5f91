package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.cause.ReportedTimes;
import dev.kymo.analysis.filter.EventTest;
import dev.kymo.analysis.selection.SelectionFacts;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.cli.options.SelectionOptions;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.words.NotRecorded;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.MethodTable;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.reader.Recording;
import dev.kymo.tables.MethodsTable;
import dev.kymo.tables.Table;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/** The report about methods, or about states as if they were methods. */
final class MethodReport {
  private final Terminal terminal;
  private final Recording open;
  private final SelectionOptions selection;
  private final RowOptions options;
  private final ReportColumn column;
  private final boolean perThread;

  MethodReport(
      Terminal terminal,
      Recording open,
      SelectionOptions selection,
      RowOptions options,
      ReportColumn column,
      boolean perThread) {
    this.terminal = terminal;
    this.open = open;
    this.selection = selection;
    this.options = options;
    this.column = column;
    this.perThread = perThread;
  }

  /**
   * Writes it.
   *
   * @param test chooses calls
   */
  void write(TrackKind asked, EventTest test) throws IOException {
    SummaryQuery query = query(selection, asked, perThread);
    if (query.mayBeKept() && test.isAll() && selection.threads().isAll()) {
      try (Timelines.Indexed known = Timelines.indexed(open.path()).orElse(null)) {
        Summary kept = known == null ? null : Summary.kept(known, query).orElse(null);
        if (known != null && kept != null) {
          open.wasReadWith(known.pass().oddities());
          write(known.pass(), asked, kept);
          return;
        }
      }
    }
    TrackKind kind = asked;
    CallPass pass = CallPass.open(open);
    Summary summary = Summary.of(pass, query, test, terminal.progress("reading"));
    if (kind == TrackKind.CALLS && hasProcessorsOnly(pass)) {
      kind = TrackKind.CPU;
      pass = CallPass.open(open);
      summary =
          Summary.of(pass, query(selection, kind, perThread), test, terminal.progress("reading"));
    }
    write(pass, kind, summary);
  }

  private void write(CallPass pass, TrackKind kind, Summary summary) throws IOException {
    Pattern pattern = options.pattern();
    boolean waits = kind == TrackKind.STATES;
    List<MethodSummary> rows =
        summary.rows().stream()
            .filter(r -> !waits || !ReportedTimes.isWeaving(r.method()))
            .filter(r -> pattern.matcher(name(r)).find())
            .sorted(
                column
                    .order()
                    .thenComparing(MethodReport::name)
                    .thenComparingInt(r -> r.method().id())
                    .thenComparingInt(r -> r.thread().map(t -> t.index()).orElse(0)))
            .toList();
    write(pass, kind, summary, rows);
  }

  static SummaryQuery query(SelectionOptions selection, TrackKind kind, boolean perThread) {
    boolean apart = perThread || kind == TrackKind.CPU;
    return new SummaryQuery(selection.from(), selection.to(), selection.threads(), kind, apart);
  }

  /** Logs of other systems have nothing else. */
  private static boolean hasProcessorsOnly(CallPass pass) {
    return NotRecorded.has(pass, TrackKind.CPU)
        && pass.threads().stream().allMatch(t -> TrackKind.of(t.definition()) == TrackKind.CPU);
  }

  private void write(CallPass pass, TrackKind kind, Summary summary, List<MethodSummary> all)
      throws IOException {
    boolean calls = kind == TrackKind.CALLS;
    if (all.isEmpty()) {
      NotRecorded.tell(terminal, options.forPeople(), pass, kind);
    }
    Table<MethodSummary> table =
        calls
            ? MethodsTable.of(all)
            : MethodsTable.ofStates(kind == TrackKind.STATES ? "waited for" : "what");
    new TableReport<>(terminal, options, table, all)
        .write(
            json -> writeFacts(json, summary),
            json -> {
              writeNever(json, pass.definitions().methods(), summary);
              JsonFields.strings(json, "oddities", pass.oddities());
            },
            () -> {});
    if (options.forPeople()) {
      new ReportText(terminal, summary, options.shown(all)).write(pass, calls);
    }
  }

  private static void writeFacts(JsonGenerator json, Summary summary) throws IOException {
    SelectionFacts facts = summary.facts();
    json.writeBooleanField("atLeast", summary.atLeast());
    json.writeNumberField("counted", facts.counted());
    json.writeNumberField("countedMethods", facts.countedMethods());
    json.writeNumberField("leftOutMethods", facts.leftOut());
  }

  private static void writeNever(JsonGenerator json, MethodTable methods, Summary summary)
      throws IOException {
    json.writeArrayFieldStart("notRecorded");
    for (ModeStep step : summary.neverRecorded()) {
      TracedMethod method = methods.get(step.method());
      json.writeStartObject();
      json.writeStringField("method", method.qualifiedName());
      json.writeStringField("descriptor", method.descriptor());
      json.writeNumberField("process", method.process());
      json.writeStringField("reason", step.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static String name(MethodSummary row) {
    return row.method().qualifiedName();
  }
}
