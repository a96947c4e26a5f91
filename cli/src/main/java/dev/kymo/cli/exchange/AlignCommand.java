package dev.kymo.cli.exchange;

import dev.kymo.cli.options.ComparedRecordings;
import dev.kymo.cli.options.LogOptions;
import dev.kymo.cli.options.OneAxis;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.editing.clocks.AlignedClock;
import dev.kymo.editing.clocks.ClockNetwork;
import dev.kymo.reader.Recording;
import dev.kymo.reader.SafeDirectory;
import dev.kymo.session.ExitCode;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kymo align}: how the clocks of recordings run to each other. */
@Command(
    name = "align",
    mixinStandardHelpOptions = true,
    description = {
      "Finds out how the clocks of recordings run to each other, and keeps it.",
      "The first one's clock is that of all. The others are compared with it by messages that were"
          + " sent between them, and by what their receiver knows. 'kymo view' and 'kymo merge'"
          + " show them on one clock from then on."
    })
public final class AlignCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(arity = "1..*", paramLabel = "RECORDING", description = "Directories of recordings.")
  private List<Path> paths;

  @Option(names = "--forget", description = "Forget what was found before.")
  private boolean forget;

  @Mixin private LogOptions logs;

  public AlignCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (!forget && paths.size() < 2) {
      throw new UsageException("there is nothing to align: give at least two recordings");
    }
    List<Recording> recordings = new ArrayList<>();
    try {
      for (Path path : paths) {
        Path ready = RecordingArgument.ready(path, logs, terminal);
        if (!ready.equals(path)) {
          throw new UsageException(
              "only recordings can be aligned: path=%s; kymo import makes one of it"
                  .formatted(path));
        }
        recordings.add(Recording.open(ready));
      }
      return forget ? forget(recordings) : align(recordings);
    } finally {
      recordings.forEach(Recording::close);
    }
  }

  private static int forget(List<Recording> recordings) throws IOException {
    for (Recording recording : recordings) {
      AlignedClock.delete(recording.directory());
    }
    return ExitCode.OK;
  }

  private int align(List<Recording> recordings) throws IOException {
    ClockNetwork network = ComparedRecordings.anew(recordings, terminal);
    List<String> names = OneAxis.names(paths);
    terminal.line("%s: its clock is that of all".formatted(names.getFirst()));
    boolean all = true;
    for (int i = 1; i < recordings.size(); i++) {
      Optional<ClockNetwork.Relation> found = network.relation(i);
      all &= found.isPresent();
      terminal.line(
          "%s: %s"
              .formatted(
                  names.get(i),
                  found
                      .map(ComparedRecordings::words)
                      .orElse("cannot be compared with the first")));
      if (found.isPresent() && !found.get().sameCounter()) {
        SafeDirectory directory = recordings.get(i).directory();
        new AlignedClock(recordings.getFirst().metadata().uuid(), found.get().line())
            .write(directory);
      }
    }
    if (!all) {
      terminal.warn(
          "some clocks cannot be compared: there have to be messages in both directions (kymo record --messages, or events of the kinds send and receive), or the same receiver; such recordings are joined by wall time");
    }
    return all ? ExitCode.OK : ExitCode.FAILED;
  }
}
