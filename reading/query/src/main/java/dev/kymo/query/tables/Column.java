package dev.kymo.query.tables;

/**
 * A column of a table.
 *
 * @param meaning one line, with the unit if it has one
 */
public record Column(String name, ColumnType type, String meaning) {
  static final Column PROCESS = new Column("process", ColumnType.INT, "number of the process");
  static final Column THREAD =
      new Column("thread", ColumnType.INT, "number of the thread in its process");
  static final Column METHOD = new Column("method", ColumnType.INT, "number of the method");
  static final Column BEGIN =
      new Column("begin", ColumnType.LONG, "ns since the recording's begin");
  static final Column FINISH =
      new Column("finish", ColumnType.LONG, "ns since the recording's begin");
  static final Column TIME = new Column("time", ColumnType.LONG, "ns since the recording's begin");
}
