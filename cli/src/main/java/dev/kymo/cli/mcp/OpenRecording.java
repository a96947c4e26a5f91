package dev.kymo.cli.mcp;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.Selected;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.index.Scratch;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.query.ask.Questions;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A recording that is asked about. What is needed for an answer is opened once, and kept. */
final class OpenRecording implements AutoCloseable {
  private final Path path;
  private final String name;
  private final Terminal terminal;
  private @Nullable Timeline timeline;
  private @Nullable ExportSource source;
  private @Nullable Scratch scratch;
  private @Nullable Questions questions;

  /**
   * A recording.
   *
   * @param path of a directory that is ready to be opened
   */
  OpenRecording(Path path, String name, Terminal terminal) {
    this.path = path;
    this.name = name;
    this.terminal = terminal;
  }

  Path path() {
    return path;
  }

  String name() {
    return name;
  }

  synchronized Timeline timeline(Progress progress) throws IOException {
    if (timeline == null) {
      timeline = Timelines.whole(path, progress.listener());
    }
    return timeline;
  }

  synchronized ExportSource source(Progress progress) throws IOException {
    if (source == null) {
      source =
          ExportSource.open(
              Recording.open(path), Selected.all(), progress.listener(), ProgressListener.NONE);
    }
    return source;
  }

  synchronized Questions questions(Progress progress) throws IOException, SQLException {
    if (questions == null) {
      Scratch room = Scratch.make("mcp");
      scratch = room;
      terminal.cleanup().add(room::close);
      Questions.Settings settings =
          new Questions.Settings(true, Questions.Settings.MEGABYTES, Questions.May.ASK);
      questions = Questions.open(Map.of(name, source(progress)), room.path(), settings);
    }
    return questions;
  }

  @Override
  public synchronized void close() throws IOException {
    if (questions != null) {
      try {
        questions.close();
      } catch (SQLException e) {
        throw new IOException(e);
      }
    }
    if (scratch != null) {
      scratch.close();
    }
    if (source != null) {
      source.close();
    }
    if (timeline != null) {
      timeline.close();
    }
  }
}
