package dev.kymo.cli.print;

import dev.kymo.cli.options.FormatOptions;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.options.ThreadListOptions;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.replay.ThreadHistories;
import dev.kymo.reader.Recording;
import dev.kymo.session.ExitCode;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kymo replay}: the calls as indented text. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = "Shows the calls, indented, with their durations: thread by thread, or merged.")
public final class ReplayCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RecordingArgument recording;
  @Mixin private ThreadListOptions selection;
  @Mixin private FormatOptions format;

  @Option(names = "--merged", description = "All threads in the order of time.")
  private boolean merged;

  public ReplayCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    format.prepare(terminal);
    long from = selection.from();
    long to = selection.to();
    try (Recording open = recording.open(terminal)) {
      CallPass pass = CallPass.open(open);
      if (format.json() || format.csv()) {
        CallLines lines = new CallLines(terminal, pass, from, to, format.json());
        lines.head();
        run(pass, lines, thread -> {});
        lines.end();
      } else {
        CallOutline tree = new CallOutline(terminal, pass, from, to, merged);
        run(pass, tree, tree::thread);
        tree.end();
      }
    }
    return ExitCode.OK;
  }

  private interface ThreadStart {
    void begin(ThreadCalls thread);
  }

  private void run(CallPass pass, dev.kymo.model.calls.CallSink sink, ThreadStart start) {
    if (merged) {
      pass.runMerged(sink, selection.threads());
      return;
    }
    ThreadHistories histories = ThreadHistories.of(pass, terminal.progress("reading"));
    for (ThreadCalls thread : histories.threads(selection.threads())) {
      start.begin(thread);
      histories.replay(thread, sink);
    }
  }
}
