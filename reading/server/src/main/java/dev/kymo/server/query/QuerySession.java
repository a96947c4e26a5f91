package dev.kymo.server.query;

import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.Selected;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.index.Scratch;
import dev.kymo.query.ask.Questions;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * A stretch of a recording that can be asked.
 *
 * @param losses times in the stretch when events were lost
 */
record QuerySession(
    Question.Stretch stretch,
    ExportSource source,
    Scratch scratch,
    Questions questions,
    long losses)
    implements AutoCloseable {
  /** Memory for answers, megabytes. */
  static final long MEGABYTES = Questions.Settings.MEGABYTES;

  static QuerySession open(Question.Stretch stretch, Progress progress)
      throws IOException, SQLException {
    Recording recording = Recording.open(stretch.directory());
    try {
      Selected selected = new Selected(stretch.from(), stretch.to(), new ThreadFilter(List.of()));
      ExportSource source =
          ExportSource.open(recording, selected, progress.listener(), ProgressListener.NONE);
      Scratch scratch = Scratch.make("query");
      try {
        Questions questions =
            Questions.open(
                Map.of(stretch.name(), source),
                scratch.path(),
                new Questions.Settings(true, MEGABYTES, Questions.May.ASK));
        return new QuerySession(stretch, source, scratch, questions, source.losses());
      } catch (SQLException | RuntimeException e) {
        scratch.close();
        throw e;
      }
    } catch (IOException | SQLException | RuntimeException e) {
      recording.close();
      throw e;
    }
  }

  @Override
  public void close() {
    try (scratch;
        source) {
      questions.close();
    } catch (SQLException | IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
