package dev.kymo.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.BadRequestException;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;

/** Answers questions, those that take time by jobs, and reports what goes wrong. */
abstract class QuestionHandler implements HttpHandler {
  private final Jobs jobs;

  QuestionHandler(Jobs jobs) {
    this.jobs = jobs;
  }

  /**
   * Answers one.
   *
   * @param name what follows the context's path
   */
  abstract void answer(HttpExchange exchange, String name, Query query)
      throws IOException, InterruptedException;

  /** Nanoseconds of what is asked about; when it grows, answers about it expire. */
  abstract long duration();

  /** Changes when something else is asked about; then earlier answers do not count. */
  int edition() {
    return 0;
  }

  @Override
  public final void handle(HttpExchange exchange) throws IOException {
    try {
      String path = exchange.getRequestURI().getPath();
      answer(
          exchange,
          path.substring(exchange.getHttpContext().getPath().length()),
          Query.of(exchange.getRequestURI().getRawQuery()));
    } catch (BadRequestException e) {
      Answers.error(exchange, 400, e.getMessage());
    } catch (UnanswerableException e) {
      Answers.error(exchange, 400, e.getMessage());
    } catch (RuntimeException e) {
      // The recording may have been changed or deleted under the server: say so, live on.
      // An answer is built before its head is sent, so this can still be an answer.
      Answers.error(exchange, 500, "The recording could not be read: " + e.getMessage());
    } catch (OutOfMemoryError | StackOverflowError e) {
      Answers.error(exchange, 500, "There is not enough memory for this answer: " + e.getMessage());
    } catch (InterruptedException e) {
      exchange.close(); // the server ends
    }
  }

  /** There is no such question. */
  static void unknown(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    Answers.error(exchange, 404, "There is no such question: " + path);
  }

  final void work(HttpExchange exchange, Jobs.Work work) throws IOException, InterruptedException {
    work(exchange, Jobs.Kind.TABLE, work);
  }

  final void work(HttpExchange exchange, Jobs.Kind kind, Jobs.Work work)
      throws IOException, InterruptedException {
    Jobs.Reply reply =
        jobs.ask(
            edition()
                + exchange.getRequestURI().getRawPath()
                + '?'
                + exchange.getRequestURI().getRawQuery(),
            duration(),
            kind,
            work);
    byte[] answer = reply.answer();
    if (answer != null) {
      Answers.json(exchange, 200, answer);
    } else {
      Answers.progress(exchange, reply.progress());
    }
  }
}
