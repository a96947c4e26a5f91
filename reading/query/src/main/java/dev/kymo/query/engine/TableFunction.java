package dev.kymo.query.engine;

import dev.kymo.query.tables.Rows;
import dev.kymo.query.tables.SqlColumn;
import dev.kymo.query.tables.SqlTable;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBTableFunction;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBTableFunctionCallInfo;
import org.duckdb.DuckDBTableFunctionInitInfo;
import org.duckdb.DuckDBWritableVector;
import org.jspecify.annotations.Nullable;

/** Hands the rows of a table to DuckDB, in blocks of some thousand, only the columns it wants. */
final class TableFunction
    implements DuckDBTableFunction<SqlTable, TableFunction.Reading, TableFunction.Reader> {
  private final SqlTable table;

  TableFunction(SqlTable table) {
    this.table = table;
  }

  /**
   * One reading of the table, by all its threads.
   *
   * @param columns places in the table of those wanted
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares readings
  record Reading(SqlTable.Scan scan, int[] columns) {}

  /** What one thread reads. */
  static final class Reader {
    final Rows rows;
    SqlTable.@Nullable Part part;

    Reader(Rows rows) {
      this.rows = rows;
    }
  }

  @Override
  public SqlTable bind(DuckDBTableFunctionBindInfo info) {
    for (SqlColumn column : table.columns()) {
      info.addResultColumn(column.name(), type(column));
    }
    info.setCardinality(table.rows(), false);
    return table;
  }

  private static DuckDBColumnType type(SqlColumn column) {
    return switch (column.type()) {
      case INT -> DuckDBColumnType.INTEGER;
      case LONG -> DuckDBColumnType.BIGINT;
      case UNSIGNED -> DuckDBColumnType.UBIGINT;
      case DOUBLE -> DuckDBColumnType.DOUBLE;
      case BOOLEAN -> DuckDBColumnType.BOOLEAN;
      case TEXT -> DuckDBColumnType.VARCHAR;
    };
  }

  @Override
  public Reading init(DuckDBTableFunctionInitInfo info) {
    int[] columns = new int[(int) info.getColumnCount()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = (int) info.getColumnIndex(i);
    }
    SqlTable.Scan scan = table.scan();
    info.setMaxThreads(scan.threads());
    return new Reading(scan, columns);
  }

  /** By column of the table; a question that only counts rows wants none. */
  private boolean[] wanted(DuckDBTableFunctionInitInfo info) {
    boolean[] wanted = new boolean[table.columns().size()];
    for (int i = 0; i < info.getColumnCount(); i++) {
      int column = (int) info.getColumnIndex(i);
      if (column < wanted.length) {
        wanted[column] = true;
      }
    }
    return wanted;
  }

  @Override
  public Reader localInit(DuckDBTableFunctionInitInfo info) {
    return new Reader(new Rows(table.columns(), wanted(info)));
  }

  @Override
  public long apply(DuckDBTableFunctionCallInfo info, DuckDBDataChunkWriter to) {
    Reading reading = info.getInitData();
    Reader reader = info.getLocalInitData();
    while (reader.rows.waiting() == 0) {
      if (reader.part == null) {
        reader.part = reading.scan().next();
      }
      if (reader.part == null) {
        return 0;
      }
      if (!reader.part.read(reader.rows)) {
        reader.part = null;
      }
    }
    int count = (int) Math.min(to.capacity(), reader.rows.waiting());
    for (int i = 0; i < reading.columns().length; i++) {
      int column = reading.columns()[i];
      if (column < table.columns().size()) { // else it wants to know only how many rows there are
        fill(to.vector(i), reader.rows, column, count);
      }
    }
    reader.rows.taken(count);
    return count;
  }

  private void fill(DuckDBWritableVector to, Rows rows, int column, int count) {
    int first = rows.first();
    switch (table.columns().get(column).type()) {
      case INT -> {
        VectorMemory.ints(to, rows.numbers(column), first, count);
        missing(to, rows.numbers(column), first, count);
      }
      case LONG -> {
        VectorMemory.longs(to, rows.numbers(column), first, count);
        missing(to, rows.numbers(column), first, count);
      }
      case DOUBLE -> {
        long[] from = rows.numbers(column);
        for (int i = 0; i < count; i++) {
          double value = Double.longBitsToDouble(from[first + i]);
          if (Double.isNaN(value)) {
            to.setNull(i);
          } else {
            to.setDouble(i, value);
          }
        }
      }
      case UNSIGNED -> {
        long[] from = rows.numbers(column);
        for (int i = 0; i < count; i++) {
          long value = from[first + i];
          BigInteger low = BigInteger.valueOf(value & Long.MAX_VALUE);
          to.setUint64(i, value < 0 ? low.setBit(Long.SIZE - 1) : low);
        }
      }
      case BOOLEAN -> {
        long[] from = rows.numbers(column);
        for (int i = 0; i < count; i++) {
          to.setBoolean(i, from[first + i] != 0);
        }
      }
      case TEXT -> texts(to, rows.texts(column), first, count);
    }
  }

  private static void missing(DuckDBWritableVector to, long[] from, int first, int count) {
    for (int i = 0; i < count; i++) {
      if (from[first + i] == Rows.NULL) {
        to.setNull(i);
      }
    }
  }

  private static void texts(
      DuckDBWritableVector to, @Nullable String[] from, int first, int count) {
    byte[][] utf8 = new byte[count][];
    for (int i = 0; i < count; i++) {
      String text = from[first + i];
      utf8[i] = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }
    to.setStringUtf8Batch(0, utf8);
  }
}
