package dev.kymo.cli.control;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.drain.ClockCalibration;
import dev.kymo.drain.Version;
import dev.kymo.format.Clock;
import dev.kymo.kernel.daemon.DaemonOptions;
import dev.kymo.kernel.daemon.DaemonSource;
import dev.kymo.kernel.daemon.KernelDaemon;
import dev.kymo.recorder.platform.ProcessorCounter;
import dev.kymo.session.ExitCode;
import dev.kymo.session.StandardError;
import dev.kymo.session.UsageException;
import dev.kymo.session.system.Signals;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
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
      "Gives each user the kernel events of their own processes; runs as root.",
      "See docs/kernel-daemon.md."
    })
public final class DaemonCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = "--socket",
      paramLabel = "PATH",
      description =
          "Where to listen; default: /run/kymo/kernel. If standard input is a socket that listens,"
              + " as systemd gives it, then there.")
  private Path socket = DaemonOptions.SOCKET;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "Maximum number of connections at a time; default: ${DEFAULT-VALUE}.")
  private int clients = DaemonOptions.CLIENTS;

  @Option(names = "--status", description = "Only ask the running daemon what it does.")
  private boolean status;

  @Option(
      names = {"-q", "--quiet"},
      description = "Report only what goes wrong.")
  private boolean quiet;

  public DaemonCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (clients < 1) {
      throw new UsageException("--clients must be at least 1");
    }
    if (status) {
      DaemonSource.status(socket).lines().forEach(terminal::line);
      return ExitCode.OK;
    }
    CountDownLatch end = new CountDownLatch(1);
    DaemonOptions options =
        new DaemonOptions(socket, clients, clocks(), Version.TEXT, StandardError::say);
    try (Signals _ = Signals.onEnd(end::countDown);
        KernelDaemon daemon =
            System.inheritedChannel() instanceof ServerSocketChannel given
                ? KernelDaemon.open(options, given)
                : KernelDaemon.open(options)) {
      if (!quiet) {
        StandardError.say(
            "serving kernel events: socket=%s clients=%d".formatted(daemon.socket(), clients));
      }
      daemon.await(end);
      return ExitCode.OK;
    }
  }

  private static Map<String, LongSupplier> clocks() {
    Map<String, LongSupplier> clocks = new HashMap<>(KernelDaemon.monotonic());
    try {
      if (ProcessorCounter.name().equals(Clock.TSC) && ProcessorCounter.isUsable()) {
        clocks.put(Clock.TSC, new ClockCalibration(Clock.TSC)::now);
      }
    } catch (IllegalStateException | LinkageError e) {
      StandardError.say(
          "recordings on the processor's counter cannot be served: " + e.getMessage());
    }
    return clocks;
  }
}
