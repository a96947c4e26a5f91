package dev.kymo.cli;

import dev.kymo.format.Clock;
import dev.kymo.kernel.daemon.DaemonOptions;
import dev.kymo.kernel.daemon.DaemonSource;
import dev.kymo.kernel.daemon.KernelDaemon;
import dev.kymo.recorder.TickClock;
import dev.kymo.recorder.drain.ClockCalibration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kymo daemon}: gives kernel events to all users of the machine, until it is ended. */
@Command(
    name = "daemon",
    mixinStandardHelpOptions = true,
    description = {
      "Gives kernel events to all users, each those of his own processes; runs as root.",
      "See docs/kernel-daemon.md."
    })
final class DaemonCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = "--socket",
      paramLabel = "PATH",
      description = "Where to listen; default: /run/kymo/kernel.")
  private Path socket = DaemonOptions.SOCKET;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "Most connections at a time; default: ${DEFAULT-VALUE}.")
  private int clients = DaemonOptions.CLIENTS;

  @Option(names = "--status", description = "Only ask the daemon that runs what it does.")
  private boolean status;

  @Option(
      names = {"-q", "--quiet"},
      description = "Say only what goes wrong.")
  private boolean quiet;

  DaemonCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (clients < 1) {
      throw new UsageException("--clients must be at least 1");
    }
    if (status) {
      DaemonSource.status(socket).lines().forEach(terminal::line);
      return Main.OK;
    }
    CountDownLatch end = new CountDownLatch(1);
    DaemonOptions options =
        new DaemonOptions(socket, clients, clocks(), Version.TEXT, RecordingRun::say);
    try (Signals _ = Signals.onEnd(end::countDown);
        KernelDaemon daemon = KernelDaemon.open(options)) {
      if (!quiet) {
        RecordingRun.say("serving kernel events: socket=%s clients=%d".formatted(socket, clients));
      }
      daemon.await(end);
      return Main.OK;
    }
  }

  private static Map<String, LongSupplier> clocks() {
    Map<String, LongSupplier> clocks = new HashMap<>(KernelDaemon.monotonic());
    try {
      if (TickClock.tscIsInvariant()) {
        clocks.put(Clock.TSC, new ClockCalibration(Clock.TSC)::now);
      }
    } catch (IllegalStateException | LinkageError e) {
      RecordingRun.say("recordings on the processor's counter cannot be served: " + e.getMessage());
    }
    return clocks;
  }
}
