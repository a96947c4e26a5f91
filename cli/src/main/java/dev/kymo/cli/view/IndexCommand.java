package dev.kymo.cli.view;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.whole.WholeTotals;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.session.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes the index by which {@code kymo view} opens a recording of any size at once. */
@Command(
    name = "index",
    mixinStandardHelpOptions = true,
    description = {
      "Makes the index by which a recording of any size opens at once.",
      "A recording that is still being written is followed to its end. 'record' and"
          + " 'view' do this themselves."
    })
public final class IndexCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RecordingArgument recording;

  /** For a recorder that waits for the index: the viewer computes the totals later. */
  @Option(names = "--without-totals", hidden = true)
  private boolean withoutTotals;

  public IndexCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path path = recording.path(terminal);
    Timelines.index(path, terminal.progress("indexing"));
    if (withoutTotals) {
      return ExitCode.OK;
    }
    try (Timeline timeline = Timelines.open(path, terminal.progress("indexing"))) {
      WholeTotals.prepare(timeline, new Progress());
    }
    return ExitCode.OK;
  }
}
