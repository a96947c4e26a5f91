package dev.kymo.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.answers.Edition;
import dev.kymo.server.export.Exports;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.query.QueryDesk;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Answers questions about one of the recordings that are served, or about what took its place. */
final class ServedRecording implements HttpHandler, AutoCloseable {
  private final String name;
  private final Jobs jobs;
  private final Exports exports;
  private volatile ApiHandler api;
  private volatile Timeline timeline;
  private QueryDesk desk;
  private @Nullable Edition edition;

  /**
   * Begins.
   *
   * @param renewed whether another may take its place
   */
  ServedRecording(Timeline timeline, String name, Jobs jobs, Exports exports, boolean renewed) {
    this.timeline = timeline;
    this.name = name;
    this.jobs = jobs;
    this.exports = exports;
    desk = new QueryDesk(timeline, name);
    edition = renewed ? new Edition(1) : null;
    api = new ApiHandler(timeline, name, edition, jobs, exports, desk);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    api.handle(exchange);
  }

  String name() {
    return name;
  }

  Timeline timeline() {
    return timeline;
  }

  /** Which one is served now; 0 if there are no others. */
  int edition() {
    return api.edition();
  }

  /** Another takes its place; answers about the one before may still be under way. */
  void renew(Timeline next) {
    desk = desk.renewed(next);
    edition = new Edition(edition == null ? 1 : edition.number() + 1);
    timeline = next;
    api = new ApiHandler(next, name, edition, jobs, exports, desk);
  }

  /** What its readers should know; empty = nothing. */
  void say(String news) {
    if (edition != null) {
      edition.say(news);
    }
  }

  @Override
  public void close() {
    desk.close();
  }
}
