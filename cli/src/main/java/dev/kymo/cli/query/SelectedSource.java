package dev.kymo.cli.query;

import dev.kymo.cli.options.LogOptions;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.options.SelectionOptions;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.Selected;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Path;

/** Opens what questions are asked about. */
final class SelectedSource {
  private SelectedSource() {}

  /** Opens a part of a recording; its oddities are reported when the command has ended. */
  static ExportSource open(Path path, SelectionOptions range, LogOptions logs, Terminal terminal)
      throws IOException {
    Recording recording = Recording.open(RecordingArgument.ready(path, logs, terminal));
    Selected selected = new Selected(range.from(), range.to(), range.threads());
    ExportSource source =
        ExportSource.open(recording, selected, terminal.progress("reading"), ProgressListener.NONE);
    terminal.watch(recording.path(), source.pass()::oddities);
    return source;
  }
}
