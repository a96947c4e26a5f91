import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Executes statements through JDBC, in a database that another process may have. */
public class Stating {
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "plain" -> plain(args[1]);
      case "wrapped" -> wrapped(args[1]);
      case "server" -> server(Path.of(args[1]));
      case "client" -> plain("jdbc:h2:tcp://127.0.0.1:" + portIn(Path.of(args[1])) + "/mem:t");
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /** H2's server; until its input ends. */
  private static void server(Path file) throws Exception {
    Object server =
        Class.forName("org.h2.tools.Server")
            .getMethod("createTcpServer", String[].class)
            .invoke(null, (Object) new String[] {"-tcpPort", "0", "-ifNotExists"});
    server.getClass().getMethod("start").invoke(server);
    Path whole = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(whole, server.getClass().getMethod("getPort").invoke(server).toString());
    Files.move(whole, file);
    while (Files.exists(file)) {
      Thread.sleep(10);
    }
    server.getClass().getMethod("stop").invoke(server);
  }

  private static int portIn(Path file) throws Exception {
    while (Files.notExists(file)) {
      Thread.sleep(10);
    }
    int port = Integer.parseInt(Files.readString(file));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(file)));
    return port;
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void plain(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      all(connection);
    }
  }

  /** Each object of the driver in two others, as by a pool. */
  private static void wrapped(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      Connection once = wrap(Connection.class, connection);
      all(wrap(Connection.class, once));
    }
  }

  private static <T> T wrap(Class<T> type, Object inside) {
    return type.cast(
        Proxy.newProxyInstance(
            Stating.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(inside, arguments);
                boolean made = Statement.class.isAssignableFrom(method.getReturnType());
                return made ? wrap(method.getReturnType(), result) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private static void all(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("create table t(id int primary key, v varchar)");
      fail(statement);
      statement.addBatch("insert into t values(1, 'one')");
      statement.addBatch("insert into t values(2, 'two')");
      statement.executeBatch();
      statement.addBatch("insert into t values(8, 'eight')");
      statement.executeBatch();
    }
    try (PreparedStatement insert = connection.prepareStatement("insert into t values(?, ?)")) {
      for (int i = 3; i < 6; i++) {
        insert(insert, i);
        insert.executeUpdate();
      }
      insert(insert, 6);
      insert.addBatch();
      insert(insert, 7);
      insert.addBatch();
      insert.executeBatch();
    }
    try (PreparedStatement query =
            connection.prepareStatement("select count(*) from t where id > ?");
        Statement none = connection.createStatement()) {
      query.setInt(1, 4);
      try (ResultSet result = query.executeQuery()) {
        result.next();
        System.out.println("count=" + result.getInt(1));
      }
      System.out.println("deleted=" + none.executeUpdate("delete from t"));
    }
  }

  private static void insert(PreparedStatement insert, int i) throws SQLException {
    insert.setInt(1, i);
    insert.setString(2, "secret" + i);
  }

  private static void fail(Statement statement) {
    try {
      statement.executeQuery("select * from nowhere");
      throw new IllegalStateException("must fail");
    } catch (SQLException e) {
      System.out.println("state=" + e.getSQLState());
    }
  }
}
