package dev.kymo.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.kymo.analysis.UnanswerableException;
import dev.kymo.model.Timeline;
import java.io.IOException;

/** Answers the questions of the contract. */
final class ApiHandler implements HttpHandler {
  private final Timeline timeline;
  private final Jobs jobs;

  ApiHandler(Timeline timeline, Jobs jobs) {
    this.timeline = timeline;
    this.jobs = jobs;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try {
      answer(exchange, Query.of(exchange.getRequestURI().getRawQuery()));
    } catch (BadRequestException e) {
      Answers.error(exchange, 400, e.getMessage());
    } catch (UnanswerableException e) {
      Answers.error(exchange, 400, e.getMessage());
    } catch (RuntimeException e) {
      // The recording may have been changed or deleted under the server: say so, live on.
      // An answer is built before its head is sent, so this can still be an answer.
      Answers.error(exchange, 500, "The recording could not be read: " + e.getMessage());
    } catch (InterruptedException e) {
      exchange.close(); // the server ends
    }
  }

  private void answer(HttpExchange exchange, Query query) throws IOException, InterruptedException {
    String path = exchange.getRequestURI().getPath();
    switch (path) {
      case "/api/recording" -> Answers.json(exchange, 200, RecordingAnswer.of(timeline));
      case "/api/window" -> Answers.json(exchange, 200, WindowAnswer.of(timeline, query));
      case "/api/methods" -> Answers.json(exchange, 200, MethodsAnswer.of(timeline, query));
      case "/api/call" -> Answers.json(exchange, 200, CallAnswer.of(timeline, query));
      case "/api/overview" -> Answers.json(exchange, 200, OverviewAnswer.of(timeline));
      case "/api/summary" -> work(exchange, SummaryAnswer.of(timeline, query));
      case "/api/tree" -> work(exchange, TreeAnswer.of(timeline, query));
      case "/api/durations" -> work(exchange, DurationsAnswer.of(timeline, query));
      case "/api/events" -> work(exchange, EventsAnswer.of(timeline, query));
      case "/api/search" -> work(exchange, SearchAnswer.of(timeline, query));
      case "/api/find" -> work(exchange, FindAnswer.of(timeline, query));
      default -> Answers.error(exchange, 404, "There is no such question: " + path);
    }
  }

  private void work(HttpExchange exchange, Jobs.Work work)
      throws IOException, InterruptedException {
    Jobs.Reply reply =
        jobs.ask(
            exchange.getRequestURI().getRawPath() + '?' + exchange.getRequestURI().getRawQuery(),
            timeline.duration(),
            work);
    byte[] answer = reply.answer();
    if (answer != null) {
      Answers.json(exchange, 200, answer);
    } else {
      Answers.json(
          exchange,
          202,
          json -> {
            json.writeStartObject();
            json.writeNumberField("progress", reply.progress());
            json.writeEndObject();
          });
    }
  }
}
