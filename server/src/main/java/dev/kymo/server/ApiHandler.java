package dev.kymo.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.kymo.model.Timeline;
import java.io.IOException;

/** Answers the questions of the contract. */
final class ApiHandler implements HttpHandler {
  private final Timeline timeline;

  ApiHandler(Timeline timeline) {
    this.timeline = timeline;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    try {
      Query query = Query.of(exchange.getRequestURI().getRawQuery());
      switch (path) {
        case "/api/recording" -> answer(exchange, RecordingAnswer.of(timeline));
        case "/api/window" -> answer(exchange, WindowAnswer.of(timeline, query));
        case "/api/methods" -> answer(exchange, MethodsAnswer.of(timeline, query));
        case "/api/call" -> answer(exchange, CallAnswer.of(timeline, query));
        default -> Answers.error(exchange, 404, "There is no such question: " + path);
      }
    } catch (BadRequestException e) {
      Answers.error(exchange, 400, e.getMessage());
    } catch (RuntimeException e) {
      // The recording may have been changed or deleted under the server: say so, live on.
      // An answer is built before its head is sent, so this can still be an answer.
      Answers.error(exchange, 500, "The recording could not be read: " + e.getMessage());
    }
  }

  private static void answer(HttpExchange exchange, Answers.Body body) throws IOException {
    Answers.json(exchange, 200, body);
  }
}
