package dev.kymo.server.query;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.query.ask.Questions;
import dev.kymo.query.worker.OwnCommand;
import dev.kymo.query.worker.StoppedException;
import dev.kymo.query.worker.Worker;
import dev.kymo.server.http.BadRequestException;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;

/**
 * Where questions in SQL about one recording are asked, one after the other. They are answered in a
 * process of its own, which begins with the first question: {@link QueryWorker}. Safe for use by
 * several threads.
 */
public final class QueryDesk implements AutoCloseable {
  private final Timeline timeline;
  private final String name;
  private final int edition;
  private final Worker worker;

  /** Of a recording, which is called so in the column {@code recording}. */
  public QueryDesk(Timeline timeline, String name) {
    this(
        timeline,
        name,
        0,
        new Worker(room -> OwnCommand.of(QueryWorker.class.getName(), room), Questions.maxBytes()));
  }

  private QueryDesk(Timeline timeline, String name, int edition, Worker worker) {
    this.timeline = timeline;
    this.name = name;
    this.edition = edition;
    this.worker = worker;
  }

  /** The same desk, for what has taken the recording's place; only one of them is to be closed. */
  public QueryDesk renewed(Timeline next) {
    return new QueryDesk(next, name, edition + 1, worker);
  }

  /**
   * What is asked.
   *
   * @param from begin of the time, nanoseconds since the recording's begin
   * @param to end of the time, the same
   */
  record Asked(long from, long to, Question.What what, String sql) {}

  /**
   * An answer, whose file is gone already.
   *
   * @param size bytes
   * @param losses times in the stretch when events were lost
   */
  record Answer(InputStream file, long size, long losses) {}

  /**
   * Asks, after whoever came before.
   *
   * @throws UnanswerableException if the question is wrong, or takes too much memory
   * @throws CancellationException if nobody wants the answer any more
   */
  Answer ask(Asked asked, Progress progress) {
    return ask(asked, Worker.UNLIMITED, progress);
  }

  /**
   * Asks, after whoever came before.
   *
   * @throws UnanswerableException if the question is wrong, or takes too much memory
   * @throws BadRequestException if it takes longer
   */
  Answer ask(Asked asked, long seconds) {
    return ask(asked, seconds, new Progress());
  }

  private Answer ask(Asked asked, long seconds, Progress progress) {
    Path directory =
        timeline
            .directory()
            .orElseThrow(() -> new UnanswerableException("This recording is not on disk."));
    Question.Stretch stretch =
        new Question.Stretch(
            directory, name, edition, asked.from(), asked.to(), timeline.duration());
    Question question = new Question(stretch, asked.what(), asked.sql());
    try {
      return answer(Query.of(worker.ask(question.line(), seconds, progress)));
    } catch (StoppedException e) {
      throw stopped(e, seconds);
    } catch (InterruptedException e) {
      throw new CancellationException("the server ends");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Answer answer(Query reply) throws IOException {
    if (reply.has("refused")) {
      throw new UnanswerableException(reply.text("refused"));
    }
    if (reply.has("failed")) {
      throw new IllegalStateException(reply.text("failed"));
    }
    Path file = Path.of(URI.create(reply.text("file")));
    Answer answer =
        new Answer(
            Files.newInputStream(file),
            Files.size(file),
            reply.number("losses", 0, Long.MAX_VALUE));
    Files.delete(file); // what is open can be read on
    return answer;
  }

  private static RuntimeException stopped(StoppedException why, long seconds) {
    return switch (why.reason()) {
      case CANCELLED -> new CancellationException(why.getMessage());
      case MEMORY -> new UnanswerableException(QueryWorker.NO_MEMORY);
      case TIME ->
          new BadRequestException(
              "The question took too long: seconds=" + seconds + ", a parameter; at most 86400.");
      case ENDED -> new UnanswerableException("No answer: " + why.getMessage() + '.');
    };
  }

  /** Whatever is being asked ends. */
  @Override
  public void close() {
    worker.close();
  }
}
