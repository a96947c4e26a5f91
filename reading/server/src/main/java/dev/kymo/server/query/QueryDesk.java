package dev.kymo.server.query;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.query.ask.QueryErrors;
import dev.kymo.query.ask.Questions;
import dev.kymo.server.query.QuerySession.Stretch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where questions in SQL about one recording are asked, one after the other. What was asked about
 * last stays open. Safe for use by several threads.
 */
public final class QueryDesk implements AutoCloseable {
  private static final long WATCH_MILLIS = 50;

  private final Timeline timeline;
  private final String name;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable QuerySession open;
  private boolean closed;

  /** Of a recording, which is called so in the column {@code recording}. */
  public QueryDesk(Timeline timeline, String name) {
    this.timeline = timeline;
    this.name = name;
  }

  /** Asks. */
  @FunctionalInterface
  interface Work<T> {
    T ask(QuerySession session) throws SQLException, IOException;
  }

  /**
   * Asks about a stretch, after whoever came before.
   *
   * @throws UnanswerableException if the engine refuses the question
   * @throws CancellationException if nobody wants the answer any more
   */
  <T> T ask(long from, long to, Progress progress, Work<T> work) {
    Path directory =
        timeline
            .directory()
            .orElseThrow(() -> new UnanswerableException("This recording is not on disk."));
    await(progress);
    try {
      Stretch stretch = new Stretch(from, to, timeline.duration());
      QuerySession session = session(directory, stretch, progress);
      try (Watch watch = new Watch(session.questions(), progress)) {
        return work.ask(session);
      }
    } catch (SQLException e) {
      progress.check(); // then that is why
      throw new UnanswerableException(text(e));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  private static String text(SQLException error) {
    return QueryErrors.isMemory(error)
        ? "Not enough memory for the answer: memory_mb=%d. Ask for less, or use kymo query --memory."
            .formatted(QuerySession.MEGABYTES)
        : QueryErrors.text(error);
  }

  private void await(Progress progress) {
    try {
      while (!lock.tryLock(WATCH_MILLIS, java.util.concurrent.TimeUnit.MILLISECONDS)) {
        progress.check();
      }
    } catch (InterruptedException e) {
      throw new CancellationException("the server ends");
    }
  }

  private QuerySession session(Path directory, Stretch stretch, Progress progress)
      throws IOException, SQLException {
    if (closed) {
      throw new CancellationException("the server ends");
    }
    QuerySession last = open;
    if (last != null && last.stretch().equals(stretch)) {
      return last;
    }
    if (last != null) {
      open = null;
      last.close();
    }
    QuerySession next = QuerySession.open(directory, name, stretch, progress);
    open = next;
    return next;
  }

  /** Ends a question that nobody wants any more. */
  private static final class Watch implements AutoCloseable {
    private final Thread thread;

    Watch(Questions questions, Progress progress) {
      thread = Thread.ofVirtual().name("kymo-query-watch").start(() -> watch(questions, progress));
    }

    private static void watch(Questions questions, Progress progress) {
      try {
        while (true) {
          Thread.sleep(WATCH_MILLIS);
          try {
            progress.check();
          } catch (CancellationException e) {
            questions.cancel();
          }
        }
      } catch (InterruptedException e) {
        // answered
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      thread.interrupt();
    }
  }

  /** Waits for the question that is being answered; then there are no more. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      QuerySession last = open;
      if (last != null) {
        open = null;
        last.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
