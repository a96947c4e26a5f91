package dev.kymo.cli;

import dev.kymo.analysis.CallCause;
import dev.kymo.analysis.Progress;
import dev.kymo.model.Timeline;
import dev.kymo.model.Timelines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kymo why}: what the time of one call went to. */
@Command(
    name = "why",
    mixinStandardHelpOptions = true,
    description = {
      "Shows what the time of one call went to: running, waiting for a processor, blocked (in what,",
      "and who ended it), interrupted, what it called; beside other calls of the method."
    })
final class WhyCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RecordingArgument recording;

  @Parameters(
      index = "1",
      paramLabel = "CALL",
      converter = CallId.Converter.class,
      description = {
        "PROCESS/THREAD:DEPTH@BEGIN, such as 1/12:3@0.350000000: 'report' and the viewer name calls",
        "so. Without :DEPTH the outermost call that begins just then, else the innermost that runs;",
        "'print' has PROCESS/THREAD and the time in each line."
      })
  private CallId call;

  @Option(names = "--json", description = "Write JSON; times are nanoseconds.")
  private boolean json;

  WhyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Path path = recording.path(terminal);
    try (Timeline timeline = Timelines.follow(path, terminal.progress("reading"))) {
      List<String> oddities = timeline.oddities();
      terminal.watch(path, () -> oddities);
      CallCause cause = CallCause.of(timeline, call.find(timeline), new Progress());
      if (json) {
        WhyJson.write(terminal, timeline, cause);
      } else {
        new WhyText(terminal, timeline, cause).write();
      }
    }
    return Main.OK;
  }
}
