package dev.kymo.query.tables;

import dev.kymo.tables.Column;
import dev.kymo.tables.Table;
import java.util.List;
import java.util.function.Supplier;

/** Tables that are defined for all who show them. */
final class DefinedTable {
  private DefinedTable() {}

  /**
   * A table for SQL.
   *
   * @param expected about how many rows it has
   * @param rows reads them
   */
  static <R> SqlTable of(Table<R> table, long expected, Supplier<List<R>> rows) {
    List<SqlColumn> columns = table.singleValues().stream().map(DefinedTable::column).toList();
    return new SmallTable(
        table.name(),
        expected,
        columns,
        to -> rows.get().forEach(row -> put(table.singleValues(), row, to)));
  }

  private static SqlColumn column(Column<?> column) {
    String meaning = column.meaning();
    return switch (column.unit()) {
      case TEXT -> new SqlColumn(column.id(), SqlType.TEXT, meaning);
      case FLAG -> new SqlColumn(column.id(), SqlType.BOOLEAN, meaning);
      case ADDRESS -> new SqlColumn(column.id(), SqlType.UNSIGNED, meaning);
      case VALUE, SHARE -> new SqlColumn(column.id(), SqlType.DOUBLE, meaning);
      case NUMBER -> new SqlColumn(column.id(), SqlType.INT, meaning);
      case NANOS, MOMENT -> new SqlColumn(column.id(), SqlType.LONG, "ns, " + meaning);
      case COUNT, BYTES -> new SqlColumn(column.id(), SqlType.LONG, meaning);
      case SERIES -> throw new IllegalArgumentException("no single value: " + column.id());
    };
  }

  private static <R> void put(List<Column<R>> columns, R row, Rows to) {
    for (Column<R> column : columns) {
      Object value = column.value().apply(row);
      switch (column.unit()) {
        case TEXT -> to.put((String) value);
        case FLAG -> to.put(Boolean.TRUE.equals(value));
        case VALUE, SHARE -> to.put(value == null ? Double.NaN : (Double) value);
        default -> to.put(value == null ? Rows.NULL : (Long) value);
      }
    }
    to.end();
  }
}
