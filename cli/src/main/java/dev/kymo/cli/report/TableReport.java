package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.TableOutput;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.tables.Table;
import java.io.IOException;
import java.util.List;

/**
 * Writes a table in the format that was asked for.
 *
 * @param <R> a row
 */
final class TableReport<R> {
  private final Terminal terminal;
  private final RowOptions options;
  private final TableOutput<R> output;
  private final List<R> all;
  private final List<R> shown;

  /** What JSON has besides the rows. */
  interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  TableReport(Terminal terminal, RowOptions options, Table<R> table, List<R> all) {
    this.terminal = terminal;
    this.options = options;
    this.output = new TableOutput<>(terminal, table);
    this.all = all;
    this.shown = options.shown(all);
  }

  boolean isEmpty() {
    return shown.isEmpty();
  }

  /**
   * Writes it.
   *
   * @param before what JSON has before the rows
   * @param after what it has after them
   * @param below what people read below the table, if it has rows
   */
  void write(Fields before, Fields after, Runnable below) throws IOException {
    if (options.json()) {
      try (JsonGenerator json = terminal.json()) {
        json.writeStartObject();
        before.write(json);
        output.writeJson(json, shown);
        after.write(json);
        json.writeEndObject();
      }
      terminal.line("");
    } else if (options.csv()) {
      output.writeCsv(shown);
    } else if (!shown.isEmpty()) {
      output.writeText(shown, all);
      options.tellMore(terminal, all.size() - shown.size());
      below.run();
    }
  }

  /** Writes it, and only this. */
  void write(List<String> oddities) throws IOException {
    write(json -> {}, oddities(oddities), () -> {});
  }

  /** The field of what was odd in reading. */
  static Fields oddities(List<String> oddities) {
    return json -> JsonFields.strings(json, "oddities", oddities);
  }
}
