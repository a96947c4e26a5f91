package dev.kymo.server;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** Asks a server as a browser does, and as one does not. */
final class Asker implements AutoCloseable {
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI uri;

  Asker(URI uri) {
    this.uri = uri;
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri.resolve(path)).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Asks until the answer is there. */
  HttpResponse<String> ask(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = get(path);
    while (answer.statusCode() == 202) {
      answer = get(path);
    }
    return answer;
  }

  /** As a page of this server does. */
  HttpResponse<String> put(String path, String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri.resolve(path))
            .header("Origin", "http://" + uri.getAuthority())
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Sends a request as it is and returns the answer's first line. */
  String raw(String... lines) throws IOException {
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      String request = String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return answer.lines().findFirst().orElse("");
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
