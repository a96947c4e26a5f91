import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** Takes orders, and asks the stock for each. Arguments: port, address of the stock. */
public final class Shop {
  static String order(String stock, int thing) {
    String left = Web.ask(stock + "/stock/" + thing);
    return left.equals("0") ? "sold out" : "ordered";
  }

  public static void main(String[] args) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(Integer.parseInt(args[0])), 0);
    server.setExecutor(Executors.newFixedThreadPool(4));
    server.createContext("/order/", Web.answering(thing -> order(args[1], thing)));
    server.createContext("/end", Web.ending(server));
    server.start();
  }
}
