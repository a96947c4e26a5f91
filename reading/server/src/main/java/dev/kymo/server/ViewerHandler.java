package dev.kymo.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.kymo.server.http.Answers;
import dev.kymo.viewer.ViewerFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Serves the viewer's files. */
final class ViewerHandler implements HttpHandler {
  /** Nothing from anywhere else; styles set by script are needed to place rows. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
          + "connect-src 'self'; base-uri 'none'; form-action 'none'; ";

  private static final String ALONE = POLICY + "frame-ancestors 'none'";

  /** Recordings side by side are in frames of a page of the same server. */
  private static final String FRAMED = POLICY + "frame-src 'self'; frame-ancestors 'self'";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "json", "application/json",
          "txt", "text/plain; charset=utf-8");

  private final String index;
  private final String policy;

  private ViewerHandler(String index, String policy) {
    this.index = index;
    this.policy = policy;
  }

  /** The page of the only recording. */
  static ViewerHandler alone() {
    return new ViewerHandler("index.html", ALONE);
  }

  /** The page of one of several recordings. */
  static ViewerHandler framed() {
    return new ViewerHandler("index.html", FRAMED);
  }

  /** The page with the frames. */
  static ViewerHandler frames() {
    return new ViewerHandler("compare.html", FRAMED);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String below = path.substring(exchange.getHttpContext().getPath().length());
    String file = below.isEmpty() ? index : below;
    Optional<byte[]> bytes = ViewerFiles.read(file);
    exchange.getResponseHeaders().set("Content-Security-Policy", policy);
    if (bytes.isPresent()) {
      // Another Kymo may serve other files at the same port tomorrow.
      exchange.getResponseHeaders().set("Cache-Control", "no-cache");
      Answers.send(exchange, 200, type(file), bytes.get());
    } else if (file.equals("index.html")) {
      send(exchange, 200, "This build of Kymo was made without its viewer (-Dviewer.skip).");
    } else if (below.isEmpty()) {
      send(exchange, 404, "This viewer has no page for several recordings; see /1/ and /2/.");
    } else {
      send(exchange, 404, "There is no such page.");
    }
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Answers.send(exchange, status, "text/plain; charset=utf-8", bytes);
  }

  private static String type(String file) {
    String extension = file.substring(file.lastIndexOf('.') + 1);
    return TYPES.getOrDefault(extension, "application/octet-stream");
  }
}
