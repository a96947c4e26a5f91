package dev.kymo.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * H2 fills a table in memory, makes an index and answers a query.
 *
 * <p>Arguments: warm-up rounds, rounds, rows.
 */
public final class H2Rounds {
  private static final String PREFIX = "1";

  private H2Rounds() {}

  /** Prints the time of each round. */
  public static void main(String[] arguments) throws Exception {
    int rows = Integer.parseInt(arguments[2]);
    Rounds.run("warm-up", Integer.parseInt(arguments[0]), () -> query(rows));
    Rounds.run("round", Integer.parseInt(arguments[1]), () -> query(rows));
  }

  private static void query(int rows) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create table t(id int primary key, v varchar) as select x, 'row'||x from"
              + " system_range(1,"
              + rows
              + ")");
      statement.execute("create index tv on t(v)");
      try (ResultSet result =
          statement.executeQuery(
              "select count(*), sum(id) from t where v like 'row" + PREFIX + "%'")) {
        result.next();
        check(rows, result.getLong(1), result.getLong(2));
      }
    }
  }

  private static void check(int rows, long count, long sum) {
    long expectedCount = 0;
    long expectedSum = 0;
    for (int id = 1; id <= rows; id++) {
      if (Integer.toString(id).startsWith(PREFIX)) {
        expectedCount++;
        expectedSum += id;
      }
    }
    if (count != expectedCount || sum != expectedSum) {
      throw new IllegalStateException("wrong answer: count=" + count + " sum=" + sum);
    }
  }
}
