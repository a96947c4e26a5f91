import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** Says how many of a thing there are. Arguments: port. */
public final class Stock {
  static int count(int thing) {
    int digits = 0;
    for (int i = 0; i < 20_000; i++) {
      digits += Integer.toString(thing * i).length();
    }
    return digits % 10;
  }

  public static void main(String[] args) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(Integer.parseInt(args[0])), 0);
    server.setExecutor(Executors.newFixedThreadPool(2));
    server.createContext("/stock/", Web.answering(thing -> Integer.toString(count(thing))));
    server.createContext("/end", Web.ending(server));
    server.start();
  }
}
