package dev.kymo.server;

import com.sun.net.httpserver.HttpExchange;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.answers.ArrowsAnswer;
import dev.kymo.server.answers.ButterflyAnswer;
import dev.kymo.server.answers.CallAnswer;
import dev.kymo.server.answers.CountedAnswer;
import dev.kymo.server.answers.CountersAnswer;
import dev.kymo.server.answers.DurationsAnswer;
import dev.kymo.server.answers.Edition;
import dev.kymo.server.answers.EventsAnswer;
import dev.kymo.server.answers.FindAnswer;
import dev.kymo.server.answers.GrowthAnswer;
import dev.kymo.server.answers.HitsAnswer;
import dev.kymo.server.answers.LatenciesAnswer;
import dev.kymo.server.answers.LocksAnswer;
import dev.kymo.server.answers.MethodsAnswer;
import dev.kymo.server.answers.OverviewAnswer;
import dev.kymo.server.answers.PathAnswer;
import dev.kymo.server.answers.PointsAnswer;
import dev.kymo.server.answers.RecordingAnswer;
import dev.kymo.server.answers.SamplesAnswer;
import dev.kymo.server.answers.SearchAnswer;
import dev.kymo.server.answers.StatisticsAnswer;
import dev.kymo.server.answers.StepsAnswer;
import dev.kymo.server.answers.SummaryAnswer;
import dev.kymo.server.answers.ThreadsAnswer;
import dev.kymo.server.answers.TreeAnswer;
import dev.kymo.server.answers.UserEventListAnswer;
import dev.kymo.server.answers.UserEventsAnswer;
import dev.kymo.server.answers.WhyAnswer;
import dev.kymo.server.answers.WindowAnswer;
import dev.kymo.server.bookmarks.BookmarksHandler;
import dev.kymo.server.export.ExportHandler;
import dev.kymo.server.export.Exports;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import dev.kymo.server.query.QueryAnswer;
import dev.kymo.server.query.QueryDesk;
import dev.kymo.server.query.QueryFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Answers the questions of docs/design/server.md. */
final class ApiHandler extends QuestionHandler {
  private final Timeline timeline;
  private final String name;
  private final BookmarksHandler bookmarks;
  private final ExportHandler exports;
  private final QueryDesk desk;
  private final @Nullable Edition edition;

  /**
   * Of a recording.
   *
   * @param edition which one it is, if others may take its place
   */
  ApiHandler(
      Timeline timeline,
      String name,
      @Nullable Edition edition,
      Jobs jobs,
      Exports exports,
      QueryDesk desk) {
    super(jobs);
    this.desk = desk;
    this.edition = edition;
    this.name = name;
    this.timeline = timeline;
    this.bookmarks = new BookmarksHandler(timeline);
    this.exports = new ExportHandler(timeline, exports);
  }

  @Override
  long duration() {
    return timeline.duration();
  }

  @Override
  int edition() {
    return edition == null ? 0 : edition.number();
  }

  @Override
  void answer(HttpExchange exchange, String question, Query query)
      throws IOException, InterruptedException {
    switch (question) {
      case "recording" -> Answers.json(exchange, 200, RecordingAnswer.of(timeline, name, edition));
      case "window" -> Answers.json(exchange, 200, WindowAnswer.of(timeline, query));
      case "methods" -> Answers.json(exchange, 200, MethodsAnswer.of(timeline, query));
      case "call" -> Answers.json(exchange, 200, CallAnswer.of(timeline, query));
      case "arrows" -> Answers.json(exchange, 200, ArrowsAnswer.of(timeline, query));
      case "steps" -> Answers.json(exchange, 200, StepsAnswer.of(timeline));
      case "overview" -> Answers.json(exchange, 200, OverviewAnswer.of(timeline));
      case "growth" -> Answers.json(exchange, 200, GrowthAnswer.of(timeline, edition));
      case "bookmarks" -> bookmarks.handle(exchange);
      case "slice" -> exports.slice(exchange, query);
      case "page" -> exports.page(exchange, query);
      case "counted" -> work(exchange, CountedAnswer.of(timeline, query));
      case "counters" -> work(exchange, CountersAnswer.of(timeline, query));
      case "summary" -> work(exchange, SummaryAnswer.of(timeline, query));
      case "tree" -> work(exchange, TreeAnswer.of(timeline, query));
      case "samples" -> work(exchange, SamplesAnswer.of(timeline, query));
      case "butterfly" -> work(exchange, ButterflyAnswer.of(timeline, query));
      case "durations" -> work(exchange, DurationsAnswer.of(timeline, query));
      case "latencies" -> work(exchange, LatenciesAnswer.of(timeline, query));
      case "statistics" -> work(exchange, StatisticsAnswer.rows(timeline, query));
      case "heat" -> work(exchange, StatisticsAnswer.heat(timeline, query));
      case "matrix" -> work(exchange, StatisticsAnswer.matrix(timeline, query));
      case "shares" -> work(exchange, StatisticsAnswer.shares(timeline, query));
      case "events" -> work(exchange, EventsAnswer.of(timeline, query));
      case "search" -> work(exchange, Jobs.Kind.SEARCH, SearchAnswer.of(timeline, query));
      case "hits" -> work(exchange, Jobs.Kind.SEARCH, HitsAnswer.page(timeline, query));
      case "rank" -> work(exchange, Jobs.Kind.SEARCH, HitsAnswer.rank(timeline, query));
      case "own" -> work(exchange, UserEventsAnswer.of(timeline, query));
      case "own-list" -> work(exchange, UserEventListAnswer.of(timeline, query));
      case "why" -> work(exchange, WhyAnswer.of(timeline, query));
      case "path" -> work(exchange, PathAnswer.of(timeline, query));
      case "points" -> work(exchange, PointsAnswer.of(timeline, query));
      case "locks" -> work(exchange, LocksAnswer.of(timeline, query));
      case "threads" -> work(exchange, ThreadsAnswer.of(timeline, query));
      case "find" -> work(exchange, Jobs.Kind.SEARCH, FindAnswer.of(timeline, query));
      case "query" -> {
        if (exchange.getRequestMethod().equals("POST")) {
          QueryFile.answer(exchange, desk, query);
        } else {
          work(exchange, Jobs.Kind.SQL, QueryAnswer.of(desk, query));
        }
      }
      case "openapi.yaml" -> QueryFile.describe(exchange);
      case "questions" -> work(exchange, Jobs.Kind.SQL, QueryAnswer.help(desk));
      default -> unknown(exchange);
    }
  }
}
