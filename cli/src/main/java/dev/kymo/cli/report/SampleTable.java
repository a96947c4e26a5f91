package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.samples.SampleReport;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.TableOutput;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.tables.SamplesTable;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/** The report about samples, in each format; the rows are those of each kind of samples. */
final class SampleTable {
  private final Terminal terminal;
  private final RowOptions options;
  private final Pattern pattern;
  private final List<SampleReport.Kind> kinds;

  SampleTable(
      Terminal terminal, RowOptions options, Pattern pattern, List<SampleReport.Kind> kinds) {
    this.terminal = terminal;
    this.options = options;
    this.pattern = pattern;
    this.kinds = kinds;
  }

  private TableOutput<SampleReport.Row> output(SampleReport.Kind kind) {
    return new TableOutput<>(terminal, SamplesTable.of(kind));
  }

  private List<SampleReport.Row> rows(SampleReport.Kind kind) {
    return kind.rows().stream()
        .filter(row -> pattern.matcher(row.method().qualifiedName()).find())
        .toList();
  }

  void writeText() {
    for (SampleReport.Kind kind : kinds) {
      String unknown = kind.unknown() == 0 ? "" : ", %d without a stack".formatted(kind.unknown());
      terminal.line("%s: %d samples%s".formatted(kind.name(), kind.samples(), unknown));
      List<SampleReport.Row> all = rows(kind);
      List<SampleReport.Row> shown = options.shown(all);
      output(kind).writeText(shown, all);
      options.tellMore(terminal, all.size() - shown.size());
    }
  }

  void writeCsv() {
    output(new SampleReport.Kind("", 0, 0, List.of())).writeCsvHead();
    kinds.forEach(kind -> output(kind).writeCsvRows(options.shown(rows(kind))));
  }

  void writeJson(List<String> oddities) throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartObject();
      json.writeArrayFieldStart("kinds");
      for (SampleReport.Kind kind : kinds) {
        json.writeStartObject();
        json.writeStringField("kind", kind.name());
        json.writeNumberField("samples", kind.samples());
        json.writeNumberField("withoutStack", kind.unknown());
        output(kind).writeJson(json, options.shown(rows(kind)));
        json.writeEndObject();
      }
      json.writeEndArray();
      JsonFields.strings(json, "oddities", oddities);
      json.writeEndObject();
    }
    terminal.line("");
  }
}
