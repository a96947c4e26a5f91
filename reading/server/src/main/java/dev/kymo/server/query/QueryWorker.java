package dev.kymo.server.query;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.query.ask.CancelWatch;
import dev.kymo.query.ask.QueryErrors;
import dev.kymo.query.ask.Questions;
import dev.kymo.query.worker.WorkerLoop;
import dev.kymo.server.http.Answers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Answers in the process that works for {@link QueryDesk}. A reply is {@code file=URI&losses=N}, or
 * {@code refused=TEXT} for a question that is wrong, or {@code failed=TEXT}. What was asked about
 * last stays open.
 */
public final class QueryWorker implements WorkerLoop.Answerer {
  static final String NO_MEMORY =
      "Not enough memory for the answer: memory_mb=%d. Ask for less, or use kymo query --memory."
          .formatted(QuerySession.MEGABYTES);

  private @Nullable QuerySession open;
  private long written;

  private QueryWorker() {}

  /** Answers until standard input ends. */
  public static void main(String[] arguments) throws IOException {
    OutputStream out = System.out;
    System.setOut(System.err); // nothing but replies goes there
    // What is open ends with the process: a question may still be worked on.
    WorkerLoop.run(System.in, out, new QueryWorker());
  }

  @Override
  public String answer(String line, Progress progress) {
    try {
      Question question = Question.of(line);
      QuerySession session = session(question.stretch(), progress);
      Path file = session.scratch().path().resolve("answer-" + ++written);
      try (CancelWatch _ = new CancelWatch(session.questions(), progress)) {
        write(question, session, file);
      }
      return Question.line(
          Map.of("file", file.toUri().toString(), "losses", Long.toString(session.losses())));
    } catch (SQLException e) {
      progress.check(); // then that is why
      return Question.line(Map.of("refused", text(e)));
    } catch (OutOfMemoryError e) {
      return Question.line(Map.of("refused", NO_MEMORY));
    } catch (CancellationException e) {
      throw e;
    } catch (IOException | RuntimeException | StackOverflowError e) {
      return Question.line(Map.of("failed", String.valueOf(e.getMessage())));
    }
  }

  private static String text(SQLException error) {
    return QueryErrors.isMemory(error) ? NO_MEMORY : QueryErrors.text(error);
  }

  private static void write(Question question, QuerySession session, Path file)
      throws SQLException, IOException {
    switch (question.what()) {
      case ROWS -> {
        QueryRows rows = new QueryRows();
        session.questions().ask(question.sql(), rows);
        Files.write(file, Answers.bytes(json -> rows.write(json, session.losses())));
      }
      case TABLES -> {
        var tables = session.questions().tables();
        Files.write(file, Answers.bytes(json -> QueryHelp.write(json, tables)));
      }
      case CSV -> session.questions().write(question.sql(), file, Questions.Form.CSV);
      case JSON -> session.questions().write(question.sql(), file, Questions.Form.JSON);
      case PARQUET -> session.questions().write(question.sql(), file, Questions.Form.PARQUET);
    }
  }

  private QuerySession session(Question.Stretch stretch, Progress progress)
      throws IOException, SQLException {
    QuerySession last = open;
    if (last != null && last.stretch().equals(stretch)) {
      return last;
    }
    if (last != null) {
      open = null;
      last.close();
    }
    QuerySession next = QuerySession.open(stretch, progress);
    open = next;
    return next;
  }
}
