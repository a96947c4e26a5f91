package dev.kymo.cli.options;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.UsageException;
import dev.kymo.importers.barrelfish.BarrelfishLog;
import dev.kymo.importers.barrelfish.BfscopeAddress;
import dev.kymo.importers.barrelfish.EventNames;
import dev.kymo.importers.barrelfish.LiveLog;
import dev.kymo.importers.barrelfish.NotALogException;
import dev.kymo.model.index.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Logs of other tracers: they become recordings that last as long as the command. */
public final class LogOptions {
  private static final long MIN_FREQUENCY = 1_000_000L;
  private static final long MAX_FREQUENCY = 1_000_000_000_000L;

  /** Between dumps that a bfscope has to be asked for, milliseconds. */
  private static final long ASK_EVERY = 1_000;

  @Option(
      names = "--frequency",
      paramLabel = "HZ",
      description =
          "Frequency of the processor that a Barrelfish trace log is from; default: a cycle is shown as 1"
              + " ns.")
  private long frequency;

  @Option(
      names = "--log-definitions",
      paramLabel = "FILE",
      description = {
        "What the numbers of events in a Barrelfish trace log mean: the definition file (.pleco)"
            + " of",
        "its Barrelfish, or the JSON file made of it; default: those of 2013, or from before."
      })
  private @Nullable Path definitions;

  /** Makes a recording of a log. */
  Path convert(Path log, Terminal terminal) throws IOException {
    Path recording = temporary(String.valueOf(log.getFileName()), terminal);
    try {
      BarrelfishLog.convert(log, recording, frequency, names());
      return recording;
    } catch (NotALogException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  /** Makes a recording of what a bfscope sends, while it does. */
  public Path follow(String address, Terminal terminal) throws IOException {
    BfscopeAddress bfscope;
    try {
      bfscope = BfscopeAddress.parse(address);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    Path recording = temporary(bfscope.name(), terminal);
    LiveLog log = LiveLog.follow(bfscope, recording, frequency, names(), ASK_EVERY, terminal::warn);
    terminal.cleanup().add(log::close);
    return recording;
  }

  /** What is a recording already knows its frequency. */
  void none() {
    if (frequency != 0) {
      throw new UsageException("--frequency is for Barrelfish trace logs: a recording has its own");
    }
    if (definitions != null) {
      throw new UsageException(
          "--log-definitions is for Barrelfish trace logs: a recording has its own");
    }
  }

  private @Nullable EventNames names() throws IOException {
    return definitions == null ? null : LogDefinitions.read(definitions);
  }

  private void check() {
    if (frequency != 0 && (frequency < MIN_FREQUENCY || frequency > MAX_FREQUENCY)) {
      throw new UsageException(
          "no processor's frequency: frequency=%d min=%d max=%d"
              .formatted(frequency, MIN_FREQUENCY, MAX_FREQUENCY));
    }
  }

  private Path temporary(String name, Terminal terminal) throws IOException {
    check();
    Scratch.sweep();
    Scratch scratch = Scratch.make("log");
    terminal.cleanup().add(scratch::close);
    return Files.createDirectory(scratch.path().resolve(name));
  }
}
