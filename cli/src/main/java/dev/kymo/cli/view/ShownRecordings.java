package dev.kymo.cli.view;

import dev.kymo.cli.options.LiveAxis;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.model.index.Scratch;
import dev.kymo.model.timeline.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Recordings that are shown, and what was made to show them. */
final class ShownRecordings implements AutoCloseable {
  private final Terminal terminal;
  private final List<Timeline> timelines = new ArrayList<>();
  private final List<Scratch> made = new ArrayList<>();
  private final List<LiveAxis> kept = new ArrayList<>();
  private @Nullable Totals totals;

  ShownRecordings(Terminal terminal) {
    this.terminal = terminal;
  }

  /** A directory of this name, which is there as long as these recordings are shown. */
  Path temporary(String name) throws IOException {
    Scratch scratch = Scratch.make("shown");
    terminal.cleanup().add(scratch::close); // when the command is interrupted
    made.add(scratch);
    return Files.createDirectory(scratch.path().resolve(name));
  }

  /** One more; it is closed with them. */
  void add(Timeline timeline) {
    timelines.add(timeline);
  }

  /** What they are made of while they are shown; it is closed after them. */
  void keep(LiveAxis axis) {
    kept.add(axis);
  }

  /** All of them are there: begins to prepare their totals. */
  void complete() {
    totals = new Totals(timelines, terminal::end);
  }

  List<Timeline> timelines() {
    return timelines;
  }

  /** They are shown no longer. */
  @Override
  public void close() throws IOException {
    if (totals != null) {
      totals.close();
    }
    timelines.forEach(Timeline::close);
    for (LiveAxis axis : kept) {
      axis.close();
    }
    for (Scratch scratch : made) {
      scratch.close();
    }
  }
}
