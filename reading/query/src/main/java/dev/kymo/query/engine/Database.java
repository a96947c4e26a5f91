package dev.kymo.query.engine;

import dev.kymo.query.tables.Table;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.duckdb.DuckDBFunctions;

/** A data base in memory, to which recordings look like tables. */
public final class Database implements AutoCloseable {
  private static final String MEMORY = "192MB";

  private final Connection connection;

  private Database(Connection connection) {
    this.connection = connection;
  }

  /**
   * Opens one.
   *
   * @param room directory for what does not fit into memory
   */
  public static Database open(Path room) throws SQLException {
    Database opened = new Database(DriverManager.getConnection("jdbc:duckdb:"));
    opened.run("SET memory_limit = '" + MEMORY + "'");
    opened.run("SET temp_directory = " + quoted(room.toString()));
    return opened;
  }

  /** Adds the tables of a recording: functions {@code recorded_NAME()}, and views of these. */
  public void add(List<Table> tables) throws SQLException {
    for (Table table : tables) {
      try (var function = DuckDBFunctions.tableFunction()) {
        function
            .withName("recorded_" + table.name())
            .withFunction(new TableFunction(table))
            .withProjectionPushdown()
            .register(connection);
      }
    }
    Views.create(this);
  }

  /** Runs a statement; returns the number of rows that it changed or wrote. */
  public long run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeLargeUpdate(sql);
    }
  }

  /** The connection, for queries. */
  public Connection connection() {
    return connection;
  }

  /** A text as SQL has it. */
  public static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
