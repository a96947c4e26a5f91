package dev.kymo.demo;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A shop on the H2 database. It fills its tables, clerks (platform threads) sell, guests (virtual
 * threads) look around, and the books must balance in the end.
 */
public final class Shop {
  private static final String URL = "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1";
  private static final int ARTICLES = 500;
  private static final int STOCK = 100;
  private static final int CLERKS = 3;
  private static final int SALES = 120;
  private static final int GUESTS = 12;

  private Shop() {}

  /** Runs the shop for a day. */
  public static void main(String[] arguments) throws Exception {
    open();
    List<Future<Integer>> sold = new ArrayList<>();
    try (ExecutorService clerks =
            Executors.newFixedThreadPool(CLERKS, Thread.ofPlatform().name("clerk-", 1).factory());
        ExecutorService guests =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("guest-", 1).factory())) {
      for (int i = 0; i < CLERKS; i++) {
        int seed = i;
        sold.add(clerks.submit(() -> sell(new SplittableRandom(seed))));
      }
      for (int i = 0; i < GUESTS; i++) {
        int guest = i;
        Future<?> _ = guests.submit(() -> lookAround(guest));
      }
    }
    System.out.println(balance(sold));
  }

  private static void open() throws SQLException {
    try (Connection connection = DriverManager.getConnection(URL);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create table article(id int primary key, name varchar, stock int) as select x, 'article ' || x, "
              + STOCK
              + " from system_range(1, "
              + ARTICLES
              + ")");
      statement.execute("create table sale(id identity primary key, article int, pieces int)");
      statement.execute("create index by_article on sale(article)");
    }
  }

  private static int sell(SplittableRandom random) throws SQLException {
    int sold = 0;
    try (Connection connection = DriverManager.getConnection(URL)) {
      connection.setAutoCommit(false);
      for (int i = 0; i < SALES; i++) {
        sold += sellOne(connection, 1 + random.nextInt(ARTICLES), 1 + random.nextInt(3));
      }
    }
    return sold;
  }

  private static int sellOne(Connection connection, int article, int pieces) throws SQLException {
    try (PreparedStatement take =
            connection.prepareStatement(
                "update article set stock = stock - ? where id = ? and stock >= ?");
        PreparedStatement note =
            connection.prepareStatement("insert into sale(article, pieces) values(?, ?)")) {
      take.setInt(1, pieces);
      take.setInt(2, article);
      take.setInt(3, pieces);
      if (take.executeUpdate() == 0) {
        connection.rollback();
        return 0;
      }
      note.setInt(1, article);
      note.setInt(2, pieces);
      note.executeUpdate();
      connection.commit();
      return pieces;
    } catch (SQLException e) {
      connection.rollback(); // two clerks sold the same article at once
      return 0;
    }
  }

  private static int lookAround(int guest) throws SQLException {
    try (Connection connection = DriverManager.getConnection(URL);
        PreparedStatement search =
            connection.prepareStatement(
                "select count(*) from article where name like ? and stock > 0")) {
      search.setString(1, "article " + (guest % 9 + 1) + "%");
      return first(search);
    }
  }

  private static String balance(List<Future<Integer>> sold)
      throws SQLException, InterruptedException, ExecutionException {
    int pieces = 0;
    for (Future<Integer> clerk : sold) {
      pieces += clerk.get();
    }
    try (Connection connection = DriverManager.getConnection(URL);
        PreparedStatement noted = connection.prepareStatement("select sum(pieces) from sale");
        PreparedStatement left = connection.prepareStatement("select sum(stock) from article")) {
      int books = first(noted);
      boolean balanced = books == pieces && first(left) == ARTICLES * STOCK - pieces;
      return pieces + " pieces sold, the books " + (balanced ? "balance" : "do not balance");
    }
  }

  private static int first(PreparedStatement query) throws SQLException {
    try (ResultSet result = query.executeQuery()) {
      result.next();
      return result.getInt(1);
    }
  }
}
