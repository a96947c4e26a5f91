package dev.kymo.query.tables;

/**
 * A column of a table.
 *
 * @param meaning one line, with the unit if it has one
 */
public record SqlColumn(String name, SqlType type, String meaning) {
  static final SqlColumn PROCESS = new SqlColumn("process", SqlType.INT, "number of the process");
  static final SqlColumn THREAD =
      new SqlColumn("thread", SqlType.INT, "number of the thread in its process");
  static final SqlColumn METHOD = new SqlColumn("method", SqlType.INT, "number of the method");
  static final SqlColumn BEGIN =
      new SqlColumn("begin", SqlType.LONG, "ns since the recording's begin");
  static final SqlColumn FINISH =
      new SqlColumn("finish", SqlType.LONG, "ns since the recording's begin");
  static final SqlColumn TIME =
      new SqlColumn("time", SqlType.LONG, "ns since the recording's begin");
}
