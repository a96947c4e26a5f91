package dev.kymo.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.kymo.server.http.Answers;
import java.io.IOException;
import java.util.List;

/** {@code /api/recordings}: which recordings are served together. */
final class RecordingsHandler implements HttpHandler {
  private final List<String> names;

  RecordingsHandler(List<String> names) {
    this.names = names;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (!path.equals("/api/recordings")) {
      Answers.error(exchange, 404, "There is no such question: " + path);
      return;
    }
    Answers.json(
        exchange,
        200,
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("recordings");
          for (String name : names) {
            json.writeString(name);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }
}
