package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.names.Categories;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The report about groups of functions: calls and time in them, without what others called. */
final class CategoryTable {
  private final Terminal terminal;
  private final List<String> oddities;
  private final Map<String, Sum> sums = new TreeMap<>();

  /** What the functions of a category cost; nanoseconds. */
  private static final class Sum {
    private long self;
    private long calls;
    private int methods;
    private boolean atLeast;
  }

  /**
   * A table.
   *
   * @param oddities of the recording
   */
  CategoryTable(
      Terminal terminal, Categories categories, List<MethodSummary> rows, List<String> oddities) {
    this.terminal = terminal;
    this.oddities = oddities;
    for (MethodSummary row : rows) {
      Sum sum = sums.computeIfAbsent(categories.of(row.method()), name -> new Sum());
      sum.self += row.self();
      sum.calls += row.calls();
      sum.methods++;
      sum.atLeast |= row.timeAtLeast();
    }
  }

  private List<Map.Entry<String, Sum>> sorted() {
    Comparator<Map.Entry<String, Sum>> bySelf =
        Comparator.comparingLong(entry -> entry.getValue().self);
    return sums.entrySet().stream().sorted(bySelf.reversed()).toList();
  }

  void writeText() {
    long all = sums.values().stream().mapToLong(sum -> sum.self).sum();
    TextTable table = new TextTable();
    table.row("self", "share", "calls", "methods", "category");
    for (Map.Entry<String, Sum> entry : sorted()) {
      Sum sum = entry.getValue();
      String share = String.format(Locale.ROOT, "%.1f %%", all == 0 ? 0 : 100.0 * sum.self / all);
      table.row(
          (sum.atLeast ? "≥" : "") + Nanos.text(sum.self),
          share,
          Long.toString(sum.calls),
          Integer.toString(sum.methods),
          entry.getKey());
    }
    table.write(terminal);
  }

  void writeCsv() {
    terminal.line("category,self_ns,calls,methods,at_least");
    for (Map.Entry<String, Sum> entry : sorted()) {
      Sum sum = entry.getValue();
      terminal.csv(entry.getKey(), sum.self, sum.calls, sum.methods, sum.atLeast);
    }
  }

  void writeJson() throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartObject();
      json.writeArrayFieldStart("categories");
      for (Map.Entry<String, Sum> entry : sorted()) {
        Sum sum = entry.getValue();
        json.writeStartObject();
        json.writeStringField("category", entry.getKey());
        json.writeNumberField("self", sum.self);
        json.writeNumberField("calls", sum.calls);
        json.writeNumberField("methods", sum.methods);
        json.writeBooleanField("atLeast", sum.atLeast);
        json.writeEndObject();
      }
      json.writeEndArray();
      JsonFields.strings(json, "oddities", oddities);
      json.writeEndObject();
    }
    terminal.line("");
  }
}
