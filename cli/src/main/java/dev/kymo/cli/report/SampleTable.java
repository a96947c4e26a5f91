package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.samples.SampleReport;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
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
      TextTable table = new TextTable();
      table.row("own", "total", "own", "method");
      for (SampleReport.Row row : shown) {
        table.row(
            Long.toString(row.own()),
            Long.toString(row.total()),
            percent(row, kind),
            row.method().qualifiedName());
      }
      table.write(terminal);
      options.tellMore(terminal, all.size() - shown.size());
    }
  }

  private static String percent(SampleReport.Row row, SampleReport.Kind kind) {
    return String.format(Locale.ROOT, "%.1f %%", 100.0 * row.own() / kind.samples());
  }

  void writeCsv() {
    terminal.line("kind,method,descriptor,process,own,total,samples");
    for (SampleReport.Kind kind : kinds) {
      for (SampleReport.Row row : options.shown(rows(kind))) {
        terminal.csv(
            kind.name(),
            row.method().qualifiedName(),
            row.method().descriptor(),
            row.method().process(),
            row.own(),
            row.total(),
            kind.samples());
      }
    }
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
        json.writeArrayFieldStart("methods");
        for (SampleReport.Row row : options.shown(rows(kind))) {
          write(json, row);
        }
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndArray();
      JsonFields.strings(json, "oddities", oddities);
      json.writeEndObject();
    }
    terminal.line("");
  }

  private static void write(JsonGenerator json, SampleReport.Row row) throws IOException {
    json.writeStartObject();
    json.writeStringField("method", row.method().qualifiedName());
    json.writeStringField("descriptor", row.method().descriptor());
    json.writeNumberField("process", row.method().process());
    json.writeNumberField("own", row.own());
    json.writeNumberField("total", row.total());
    json.writeEndObject();
  }
}
