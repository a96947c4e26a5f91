package dev.kymo.cli.terminal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.tables.Column;
import dev.kymo.tables.Table;
import dev.kymo.tables.Unit;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Writes a table in each format.
 *
 * @param <R> a row
 */
public final class TableOutput<R> {
  private final Terminal terminal;
  private final Table<R> table;

  public TableOutput(Terminal terminal, Table<R> table) {
    this.terminal = terminal;
    this.table = table;
  }

  /**
   * For people, without columns in which there is nothing; notes are below.
   *
   * @param all the rows that are added up, also those that are not written
   */
  public void writeText(List<R> rows, List<R> all) {
    TextTable text = new TextTable();
    List<Column<R>> columns = table.peopleFor(all);
    text.row(columns.stream().map(Column::label).toArray(String[]::new));
    for (R row : rows) {
      text.row(columns.stream().map(column -> column.textOf(row)).toArray(String[]::new));
    }
    String[] sums = columns.stream().map(column -> column.sumOf(all)).toArray(String[]::new);
    if (Arrays.stream(sums).anyMatch(sum -> !sum.isEmpty())) {
      text.row(sums);
    }
    text.write(terminal);
    table.notesFor(rows).forEach(terminal::line);
  }

  /** The names of the columns, and a line a row; what is not known is empty. */
  public void writeCsv(List<R> rows) {
    writeCsvHead();
    writeCsvRows(rows);
  }

  public void writeCsvHead() {
    List<Column<R>> columns = table.singleValues();
    terminal.line(String.join(",", columns.stream().map(Column::head).toList()));
  }

  public void writeCsvRows(List<R> rows) {
    List<Column<R>> columns = table.singleValues();
    for (R row : rows) {
      terminal.csv(columns.stream().map(column -> cell(column, row)).toArray());
    }
  }

  private static <R> String cell(Column<R> column, R row) {
    Object value = column.value().apply(row);
    return value == null ? "" : column.unit().plain(value);
  }

  /** The table's name and an array of it, an object a row; what is not known is null. */
  public void writeJson(JsonGenerator json, List<R> rows) throws IOException {
    json.writeArrayFieldStart(table.name());
    for (R row : rows) {
      json.writeStartObject();
      for (Column<R> column : table.columns()) {
        json.writeFieldName(column.field());
        write(json, column, row);
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static <R> void write(JsonGenerator json, Column<R> column, R row) throws IOException {
    switch (column.value().apply(row)) {
      case null -> json.writeNull();
      case Boolean flag -> json.writeBoolean(flag);
      case long[] series -> json.writeArray(series, 0, series.length);
      case Double value -> json.writeNumber(value);
      case Long number when column.unit() != Unit.ADDRESS -> json.writeNumber(number);
      case Object other -> json.writeString(column.unit().plain(other));
    }
  }
}
