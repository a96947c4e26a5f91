package dev.kymo.cli.diff;

import dev.kymo.analysis.difference.Difference;
import dev.kymo.cli.options.LogOptions;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.terminal.ExitCode;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.UsageException;
import dev.kymo.model.calls.CallPass;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kymo diff}: where the time went between two runs. */
@Command(
    name = "diff",
    mixinStandardHelpOptions = true,
    description = {
      "Shows how recordings of a program differ: calls that there are more of, methods that take longer",
      "themselves, waits; and whether that is more than chance.",
      "  kymo diff old.kymo --with new.kymo",
      "  kymo diff old-1.kymo old-2.kymo old-3.kymo --with new-1.kymo new-2.kymo new-3.kymo"
    })
public final class DiffCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "BASE",
      description = "Recordings of the program as it was, or other tracers' files.")
  private List<Path> base;

  @Option(
      names = "--with",
      arity = "1..*",
      required = true,
      paramLabel = "NEW",
      description = {
        "Recordings of the program as it is now. With three or more a side it is known how much runs",
        "differ anyway."
      })
  private List<Path> with;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Show at most so many differences (default: ${DEFAULT-VALUE}; 0 = all).")
  private int limit = 20;

  @Mixin private LogOptions logs;

  public DiffCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (limit < 0) {
      throw new UsageException("no such number of differences: limit=" + limit);
    }
    List<Recording> open = new ArrayList<>();
    try {
      List<CallPass> before = open(base, open);
      List<CallPass> after = open(with, open);
      Difference difference = Difference.of(before, after, terminal.progress("reading"));
      new DiffText(terminal, difference, base, with, limit).write();
    } finally {
      for (Recording recording : open) {
        recording.close();
      }
    }
    return ExitCode.OK;
  }

  private List<CallPass> open(List<Path> paths, List<Recording> open) throws IOException {
    List<CallPass> passes = new ArrayList<>();
    for (Path path : paths) {
      Recording recording = Recording.open(RecordingArgument.ready(path, logs, terminal));
      open.add(recording);
      CallPass pass = CallPass.open(recording);
      passes.add(pass);
      terminal.watch(path, pass::oddities);
    }
    return passes;
  }
}
