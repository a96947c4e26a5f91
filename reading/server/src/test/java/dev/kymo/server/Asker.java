package dev.kymo.server;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Asks a server as a browser does that was let in by its link, and as one does not. */
public final class Asker implements AutoCloseable {
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI uri;
  private final String cookie;

  /** Follows the link. */
  public Asker(URI uri) {
    this.uri = uri;
    this.cookie = follow(client, uri);
  }

  /** Follows a link; returns the cookie that the browser then has. */
  static String follow(HttpClient client, URI link) {
    try {
      HttpResponse<String> page =
          client.send(HttpRequest.newBuilder(link).build(), HttpResponse.BodyHandlers.ofString());
      return page.headers().firstValue("Set-Cookie").orElse("none=0").replaceFirst(";.*", "");
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  public String cookie() {
    return cookie;
  }

  public HttpResponse<String> get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri.resolve(path)).header("Cookie", cookie).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<byte[]> bytes(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri.resolve(path)).header("Cookie", cookie).build();
    return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  /** Asks until the answer is there. */
  public HttpResponse<String> ask(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = get(path);
    while (answer.statusCode() == 202) {
      answer = get(path);
    }
    return answer;
  }

  /** As a page of this server does. */
  public HttpResponse<String> put(String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri.resolve(path))
            .header("Cookie", cookie)
            .header("Origin", "http://" + uri.getAuthority())
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Sends a request as it is, with the cookie, and returns the answer's first line. */
  public String raw(String... lines) throws IOException {
    List<String> all = new ArrayList<>(List.of(lines));
    all.add("Cookie: " + cookie);
    return stranger(all.toArray(String[]::new)).lines().findFirst().orElse("");
  }

  /** Sends a request as it is, and returns the answer as it is. */
  public String stranger(String... lines) throws IOException {
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      String request = String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
