package dev.kymo.cli.query;

import dev.kymo.analysis.cause.CallCause;
import dev.kymo.analysis.path.CriticalPath;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.words.CallId;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.session.ExitCode;
import dev.kymo.session.UsageException;
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
      "Shows what the time of one call went to.",
      "Running, waiting for a processor, blocked (in what, and who ended it), interrupted, what it"
          + " called; compared with other calls of the method."
    })
public final class WhyCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RecordingArgument recording;

  @Parameters(
      index = "1",
      paramLabel = "CALL",
      converter = CallId.Converter.class,
      description =
          "PROCESS/THREAD:DEPTH@BEGIN, such as 1/12:3@0.350000000, as 'report' and the viewer name"
              + " calls. Without :DEPTH the outermost call that begins then, otherwise the"
              + " innermost that runs; 'print' has PROCESS/THREAD and the time in each line.")
  private CallId call;

  @Option(names = "--json", description = "Write JSON; times are nanoseconds.")
  private boolean json;

  @Option(
      names = "--path",
      description =
          "Show the critical path of the call instead: what decided when it ended, across threads,"
              + " from who let whom go on (locks, wake-ups, messages).")
  private boolean path;

  public WhyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Path directory = recording.path(terminal);
    try (Timeline timeline = Timelines.whole(directory, terminal.progress("reading"))) {
      List<String> oddities = timeline.oddities();
      terminal.watch(directory, () -> oddities);
      CallDetail found = call.find(timeline);
      if (path) {
        writePath(timeline, found);
      } else {
        writeCause(timeline, found);
      }
    }
    return ExitCode.OK;
  }

  private void writeCause(Timeline timeline, CallDetail found) throws IOException {
    CallCause cause = CallCause.of(timeline, found, new Progress());
    if (json) {
      WhyJson.write(terminal, timeline, cause);
    } else {
      new WhyText(terminal, timeline, cause).write();
    }
  }

  private void writePath(Timeline timeline, CallDetail found) throws IOException {
    if (found.begin() == found.end()) {
      throw new UsageException("the call took no time: there is no path");
    }
    CriticalPath critical =
        CriticalPath.of(timeline, found.track(), found.begin(), found.end(), new Progress());
    if (json) {
      PathJson.write(terminal, timeline, critical);
    } else {
      new PathText(terminal, timeline, critical).write();
    }
  }
}
