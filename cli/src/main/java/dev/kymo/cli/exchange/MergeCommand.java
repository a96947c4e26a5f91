package dev.kymo.cli.exchange;

import dev.kymo.cli.options.LogOptions;
import dev.kymo.cli.options.OffsetOptions;
import dev.kymo.cli.options.OneAxis;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.session.ExitCode;
import dev.kymo.session.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kymo merge}: several recordings, and other tracers' files, as one recording. */
@Command(
    name = "merge",
    mixinStandardHelpOptions = true,
    description = "Makes one recording of several, on one clock: that of the first.")
public final class MergeCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      arity = "2..*",
      paramLabel = "RECORDING",
      description = "Directories of recordings, or other tracers' files.")
  private List<Path> paths;

  @Mixin private LogOptions logs;
  @Mixin private OffsetOptions offsets;

  @Mixin private RecordingOutput output;

  public MergeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    try (OutputFile to = output.begin()) {
      long events = new OneAxis(logs, offsets, terminal).write(paths, to.unfinished());
      terminal.line("%s: %d events, %d bytes".formatted(output.path(), events, to.finish()));
    }
    return ExitCode.OK;
  }
}
