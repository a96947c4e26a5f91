package dev.kymo.query.engine;

import dev.kymo.query.tables.SqlTable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.duckdb.DuckDBFunctions;

/** A data base in memory, to which recordings look like tables. */
public final class Database implements AutoCloseable {
  /** What is enough for most questions, and leaves room for reading below 512 MB. */
  public static final long MEGABYTES = 256;

  private final Connection connection;
  private final Views views = new Views();
  private int functions;

  private Database(Connection connection) {
    this.connection = connection;
  }

  /**
   * Opens one.
   *
   * @param room directory for what does not fit into memory
   * @param stream whether rows of an answer are handed out before all of them are known; errors say
   *     less then
   * @param megabytes of memory at most
   */
  public static Database open(Path room, boolean stream, long megabytes) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("jdbc_stream_results", Boolean.toString(stream));
    Database opened = new Database(DriverManager.getConnection("jdbc:duckdb:", properties));
    opened.run("SET memory_limit = '" + megabytes + "MiB'");
    opened.run("SET temp_directory = " + text(room.toString()));
    return opened;
  }

  /**
   * Adds tables of a recording.
   *
   * @param number of the recording, which tells it from others
   * @param name of the recording, as the tables have it
   */
  public void add(int number, String name, List<SqlTable> tables) throws SQLException {
    for (SqlTable table : tables) {
      String from =
          table.group().isEmpty() ? function(table.name(), number) : "recorded_kind_" + functions++;
      try (var function = DuckDBFunctions.tableFunction()) {
        function
            .withName(from)
            .withFunction(new TableFunction(table))
            .withProjectionPushdown()
            .register(connection);
      }
      views.add(this, number, name, table, from);
    }
  }

  /** The function that gives the rows of a table that every recording has. */
  static String function(String table, int recording) {
    return "recorded_%s_%d".formatted(table, recording);
  }

  /** Makes the tables that were added since it was called last, of all recordings. */
  public void complete() throws SQLException {
    views.create(this);
  }

  /**
   * From now on statements reach only these tables and one directory, and cannot change that.
   *
   * @param room that of {@link #open}
   */
  public void close(Path room) throws SQLException {
    run("SET allowed_directories = [" + text(room.toString()) + "]");
    run("SET enable_external_access = false");
    run("SET lock_configuration = true");
  }

  /** Runs a statement; returns the number of rows that it changed or wrote. */
  public long run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeLargeUpdate(sql);
    }
  }

  /**
   * Looks whether a text consists of questions only.
   *
   * @throws SQLException if anything in it does something else, or is no SQL
   */
  public void mustBeQuestions(String sql) throws SQLException {
    // The engine tells the structure of statements if all of them only ask.
    try (PreparedStatement structure =
        connection.prepareStatement(
            "SELECT s ->> 'error_type', s ->> 'error_message' FROM"
                + " (SELECT CAST(json_serialize_sql(CAST(? AS VARCHAR)) AS JSON) s)")) {
      structure.setString(1, sql);
      try (ResultSet said = structure.executeQuery()) {
        said.next();
        String error = said.getString(1);
        if ("not implemented".equals(error)) {
          throw new SQLException(
              "only questions are answered here: SELECT, FROM, WITH, VALUES, DESCRIBE, SHOW, SUMMARIZE");
        }
        if (error != null) {
          connection.prepareStatement(sql).close(); // says where the error is
          throw new SQLException(said.getString(2));
        }
      }
    }
  }

  /** The connection, for queries. */
  public Connection connection() {
    return connection;
  }

  /** A text as SQL has it. */
  public static String text(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** A name as SQL has it. */
  public static String name(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
