import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.function.IntFunction;

/** Questions and answers of the three programs. */
final class Web {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Web() {}

  static String ask(String address) {
    try {
      HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
      return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Asks until there is an answer. */
  static void await(String address) {
    for (int tries = 0; ; tries++) {
      try {
        ask(address);
        return;
      } catch (UncheckedIOException e) {
        if (tries == 600) {
          throw e;
        }
      }
      try {
        Thread.sleep(100);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Answers with what a number at the end of the path is given. */
  static HttpHandler answering(IntFunction<String> answer) {
    return exchange -> {
      String path = exchange.getRequestURI().getPath();
      int number = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
      send(exchange, answer.apply(number));
    };
  }

  static HttpHandler ending(HttpServer server) {
    return exchange -> {
      send(exchange, "bye");
      new Thread(() -> end(server)).start();
    };
  }

  private static void end(HttpServer server) {
    server.stop(1);
    System.exit(0);
  }

  private static void send(HttpExchange exchange, String text) throws IOException {
    byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }
}
