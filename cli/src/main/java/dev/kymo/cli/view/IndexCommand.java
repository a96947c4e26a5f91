package dev.kymo.cli;

import dev.kymo.analysis.Progress;
import dev.kymo.analysis.WholeTotals;
import dev.kymo.model.Timeline;
import dev.kymo.model.Timelines;
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
      "One that is being written is followed to its end. Recording and viewing do this by themselves."
    })
final class IndexCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RecordingArgument recording;

  /** For who waits for the index: whoever looks at it makes them, and need not wait. */
  @Option(names = "--without-totals", hidden = true)
  private boolean withoutTotals;

  IndexCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path path = recording.path(terminal);
    Timelines.index(path, terminal.progress("indexing"));
    if (withoutTotals) {
      return Main.OK;
    }
    try (Timeline timeline = Timelines.open(path, terminal.progress("indexing"))) {
      WholeTotals.prepare(timeline, new Progress());
    }
    return Main.OK;
  }
}
