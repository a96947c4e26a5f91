package dev.kymo.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.MethodSummary;
import dev.kymo.analysis.Summary;
import dev.kymo.analysis.SummaryQuery;
import dev.kymo.model.CallPass;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kymo report}: who costs what. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Shows what each method cost: calls, total and self time, average, percentiles.")
final class ReportCommand implements Callable<Integer> {
  /** More is for programs to read. */
  private static final long TEXT_LIMIT = 100;

  private final Terminal terminal;

  @Mixin private RecordingArgument recording;
  @Mixin private SelectionOptions selection;
  @Mixin private FormatOptions format;

  @Option(names = "--sort", paramLabel = "COLUMN", description = "One of ${COMPLETION-CANDIDATES}.")
  private Column sort = Column.total;

  @Option(
      names = "--filter",
      paramLabel = "REGEX",
      description = "Only methods whose name has this.")
  private @Nullable String filter;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "At most so many rows, 0 = all; default: 100 in text, all in JSON and CSV.")
  private @Nullable Long limit;

  @Option(names = "--per-thread", description = "A row for each method and thread.")
  private boolean perThread;

  ReportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** What rows can be sorted by; named as on the command line. */
  @SuppressWarnings("checkstyle:ConstantName")
  enum Column {
    calls,
    total,
    self,
    avg,
    p50,
    p99,
    max,
    name;

    /** Largest first; names from A to Z. */
    Comparator<MethodSummary> order() {
      return switch (this) {
        case calls -> Comparator.comparingLong(MethodSummary::calls).reversed();
        case total -> Comparator.comparingLong(MethodSummary::total).reversed();
        case self -> Comparator.comparingLong(MethodSummary::self).reversed();
        case avg -> Comparator.comparingLong(MethodSummary::average).reversed();
        case p50 -> Comparator.comparingLong(MethodSummary::p50).reversed();
        case p99 -> Comparator.comparingLong(MethodSummary::p99).reversed();
        case max -> Comparator.comparingLong(MethodSummary::max).reversed();
        case name -> Comparator.comparing(ReportCommand::name);
      };
    }
  }

  @Override
  public Integer call() throws IOException {
    Pattern pattern = pattern();
    SummaryQuery query =
        new SummaryQuery(selection.from(), selection.to(), selection.threads(), perThread);
    try (Recording open = recording.open(terminal)) {
      CallPass pass = CallPass.open(open);
      Summary summary = Summary.of(pass, query, terminal.progress("reading"));
      List<MethodSummary> rows =
          summary.rows().stream()
              .filter(r -> pattern.matcher(name(r)).find())
              .sorted(
                  sort.order()
                      .thenComparing(ReportCommand::name)
                      .thenComparingInt(r -> r.method().id())
                      .thenComparingInt(r -> r.thread().map(t -> t.index()).orElse(0)))
              .toList();
      long all = rows.size();
      rows = rows.subList(0, (int) Math.min(all, rowLimit()));
      if (format.json()) {
        writeJson(rows, summary.atLeast(), pass.oddities());
      } else if (format.csv()) {
        writeCsv(rows);
      } else {
        writeText(rows, summary.atLeast(), pass.diagnostics().total());
        if (all > rows.size()) {
          terminal.line("%d more rows, --limit 0 shows all".formatted(all - rows.size()));
        }
      }
    }
    return Main.OK;
  }

  private long rowLimit() {
    if (limit == null) {
      return format.json() || format.csv() ? Long.MAX_VALUE : TEXT_LIMIT;
    }
    return limit == 0 ? Long.MAX_VALUE : limit;
  }

  private Pattern pattern() {
    try {
      return Pattern.compile(filter == null ? "" : filter);
    } catch (PatternSyntaxException e) {
      throw new UsageException(
          "not a regular expression: filter=%s reason=\"%s\""
              .formatted(filter, e.getDescription()));
    }
  }

  private static String name(MethodSummary row) {
    return row.method().qualifiedName();
  }

  private static String thread(MethodSummary row) {
    return row.thread().map(t -> t.definition().name()).orElse("");
  }

  private void writeText(List<MethodSummary> rows, boolean atLeast, long oddities) {
    TextTable table = new TextTable();
    String method = perThread ? "method @ thread" : "method";
    table.row("calls", "total", "self", "avg", "p50", "p99", "max", method);
    for (MethodSummary r : rows) {
      String mark = r.atLeast() ? "≥" : "";
      table.row(
          mark + r.calls(),
          mark + Nanos.text(r.total()),
          Nanos.text(r.self()),
          Nanos.text(r.average()),
          Nanos.text(r.p50()),
          Nanos.text(r.p99()),
          Nanos.text(r.max()),
          perThread ? name(r) + " @ " + thread(r) : name(r));
    }
    table.write(terminal);
    if (atLeast) {
      terminal.line("≥ at least: events were lost; 'kymo info' says how many");
    }
    if (oddities > 0) {
      terminal.line("%d oddities in the recording; 'kymo info' lists them".formatted(oddities));
    }
  }

  private void writeCsv(List<MethodSummary> rows) {
    terminal.line(
        "method,descriptor,process,thread,thread_name,calls,total_ns,self_ns,avg_ns,p50_ns,p99_ns,"
            + "max_ns,at_least");
    for (MethodSummary r : rows) {
      terminal.line(
          Csv.line(
              name(r),
              r.method().descriptor(),
              r.method().process(),
              r.thread().map(t -> Integer.toString(t.thread())).orElse(""),
              thread(r),
              r.calls(),
              r.total(),
              r.self(),
              r.average(),
              r.p50(),
              r.p99(),
              r.max(),
              r.atLeast()));
    }
  }

  private void writeJson(List<MethodSummary> rows, boolean atLeast, List<String> oddities)
      throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartObject();
      json.writeBooleanField("atLeast", atLeast);
      json.writeArrayFieldStart("methods");
      for (MethodSummary r : rows) {
        json.writeStartObject();
        json.writeStringField("method", name(r));
        json.writeStringField("descriptor", r.method().descriptor());
        json.writeNumberField("process", r.method().process());
        if (r.thread().isPresent()) {
          json.writeNumberField("thread", r.thread().get().thread());
          json.writeStringField("threadName", thread(r));
        }
        json.writeNumberField("calls", r.calls());
        json.writeNumberField("total", r.total());
        json.writeNumberField("self", r.self());
        json.writeNumberField("avg", r.average());
        json.writeNumberField("p50", r.p50());
        json.writeNumberField("p99", r.p99());
        json.writeNumberField("max", r.max());
        json.writeBooleanField("atLeast", r.atLeast());
        json.writeEndObject();
      }
      json.writeEndArray();
      writeStrings(json, "oddities", oddities);
      json.writeEndObject();
    }
    terminal.line("");
  }

  static void writeStrings(JsonGenerator json, String name, List<String> values)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String value : values) {
      json.writeString(value);
    }
    json.writeEndArray();
  }
}
