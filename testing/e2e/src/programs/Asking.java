import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A server and its client in one process. */
class Asking {
  public static void main(String[] args) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/found",
        exchange -> {
          byte[] answer = answer(exchange.getRequestURI().getQuery()).getBytes();
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    String place = "http://localhost:" + server.getAddress().getPort();
    HttpClient client = HttpClient.newHttpClient();
    for (String path : new String[] {"/found?a", "/missing", "/found?b"}) {
      System.out.println(ask(client, URI.create(place + path)));
    }
    server.stop(0);
  }

  private static String answer(String query) {
    return "answer to " + query;
  }

  private static String ask(HttpClient client, URI from) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(from).build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    return response.statusCode() + " " + response.body();
  }
}
