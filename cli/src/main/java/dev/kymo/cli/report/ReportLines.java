package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.costs.CorrectedTimes;
import dev.kymo.analysis.costs.SelfTime;
import dev.kymo.analysis.selection.SelectionFacts;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.words.CallId;
import dev.kymo.model.definitions.MethodTable;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.TracedMethod;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** A report for programs. */
final class ReportLines {
  private ReportLines() {}

  static void writeCsv(Terminal terminal, List<MethodSummary> rows) {
    terminal.line(
        "method,descriptor,process,thread,thread_name,calls,total_ns,self_ns,avg_ns,p50_ns,p99_ns,"
            + "max_ns,at_least,counted,corrected_total_ns,corrected_self_ns,error_ns,estimated,"
            + "left_out,longest,self_weaving_ns,self_waiting_ns,self_stopped_ns,self_blocked_ns,"
            + "self_runnable_ns,self_loading_ns,self_running_ns");
    for (MethodSummary r : rows) {
      terminal.csv(
          r.method().qualifiedName(),
          r.method().descriptor(),
          r.method().process(),
          r.thread().map(t -> Integer.toString(t.thread())).orElse(""),
          r.thread().map(t -> t.definition().name()).orElse(""),
          r.calls(),
          r.total(),
          r.self(),
          r.average(),
          r.p50(),
          r.p99(),
          r.max(),
          r.timeAtLeast(),
          r.counted(),
          corrected(r, CorrectedTimes::total),
          corrected(r, CorrectedTimes::self),
          corrected(r, CorrectedTimes::error),
          r.estimated(),
          r.leftOut(),
          r.longest().map(CallId::text).orElse(""),
          r.selfTime().weaving(),
          r.selfTime().waiting(),
          r.selfTime().stopped(),
          r.selfTime().blocked(),
          r.selfTime().runnable(),
          r.selfTime().loading(),
          r.selfTime().running());
    }
  }

  private static String corrected(MethodSummary row, ToLongFunction<CorrectedTimes> of) {
    return row.corrected().map(c -> Long.toString(of.applyAsLong(c))).orElse("");
  }

  static void writeJson(
      Terminal terminal,
      MethodTable methods,
      Summary summary,
      List<MethodSummary> rows,
      List<String> oddities)
      throws IOException {
    SelectionFacts facts = summary.facts();
    try (JsonGenerator json = terminal.json()) {
      json.writeStartObject();
      json.writeBooleanField("atLeast", summary.atLeast());
      json.writeNumberField("counted", facts.counted());
      json.writeNumberField("countedMethods", facts.countedMethods());
      json.writeNumberField("leftOutMethods", facts.leftOut());
      json.writeArrayFieldStart("methods");
      for (MethodSummary r : rows) {
        write(json, r);
      }
      json.writeEndArray();
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
      JsonFields.strings(json, "oddities", oddities);
      json.writeEndObject();
    }
    terminal.line("");
  }

  private static void write(JsonGenerator json, MethodSummary r) throws IOException {
    json.writeStartObject();
    json.writeStringField("method", r.method().qualifiedName());
    json.writeStringField("descriptor", r.method().descriptor());
    json.writeNumberField("process", r.method().process());
    if (r.thread().isPresent()) {
      json.writeNumberField("thread", r.thread().get().thread());
      json.writeStringField("threadName", r.thread().get().definition().name());
    }
    json.writeNumberField("calls", r.calls());
    json.writeNumberField("counted", r.counted());
    json.writeNumberField("total", r.total());
    json.writeNumberField("self", r.self());
    write(json, r.selfTime());
    Optional<CorrectedTimes> corrected = r.corrected();
    if (corrected.isPresent()) {
      json.writeNumberField("correctedTotal", corrected.get().total());
      json.writeNumberField("correctedSelf", corrected.get().self());
      json.writeNumberField("error", corrected.get().error());
    }
    json.writeNumberField("avg", r.average());
    json.writeNumberField("p50", r.p50());
    json.writeNumberField("p99", r.p99());
    json.writeNumberField("max", r.max());
    if (r.longest().isPresent()) {
      json.writeNumberField("longestBegin", r.longest().get().begin());
      json.writeNumberField("longestThread", r.longest().get().thread().thread());
      json.writeStringField("longest", CallId.text(r.longest().get()));
    }
    json.writeBooleanField("estimated", r.estimated());
    json.writeBooleanField("leftOut", r.leftOut());
    json.writeBooleanField("atLeast", r.timeAtLeast());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, SelfTime self) throws IOException {
    json.writeObjectFieldStart("selfTime");
    json.writeNumberField("weaving", self.weaving());
    json.writeNumberField("waiting", self.waiting());
    json.writeNumberField("stopped", self.stopped());
    json.writeNumberField("blocked", self.blocked());
    json.writeNumberField("runnable", self.runnable());
    json.writeNumberField("loading", self.loading());
    json.writeNumberField("running", self.running());
    json.writeEndObject();
  }
}
