package dev.kymo.cli.exchange;

import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.exporters.barrelfish.BfscopeProtocol;
import dev.kymo.exporters.barrelfish.LogNumbers;
import dev.kymo.exporters.barrelfish.LogServer;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.server.access.PeerUser;
import dev.kymo.session.ExitCode;
import dev.kymo.session.UsageException;
import dev.kymo.session.system.Signals;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kymo serve-log}: sends a recording as Barrelfish's bfscope, until it is interrupted. */
@Command(
    name = "serve-log",
    mixinStandardHelpOptions = true,
    description = {
      "Sends a recording's events to clients of Barrelfish's bfscope, also while it is recorded.",
      "See docs/barrelfish.md."
    })
public final class ServeLogCommand implements Callable<Integer> {
  private static final int FIRST_PORT = 666;
  private static final int SHORT_HEADER = 6;
  private static final int LONG_HEADER = 8;

  private final Terminal terminal;

  @Mixin private RecordingArgument recording;

  @Option(
      names = "--address",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "Where to listen; default: ${DEFAULT-VALUE}, for this machine only.")
  private String address;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "6666",
      description = "Port; 0 for any free one; default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--protocol",
      paramLabel = "1|2",
      description =
          "1: a client asks for each dump; 2: dumps are sent by themselves. Default: 1 on port"
              + " 666, otherwise 2.")
  private @Nullable Integer protocol;

  @Option(
      names = "--digits",
      paramLabel = "6|8",
      description = "Digits of a dump's size in protocol 1; Aquarium wants 8; default: 6.")
  private @Nullable Integer digits;

  @Option(
      names = "--definitions",
      paramLabel = "FILE",
      description =
          "Write what the numbers of events mean: JSON as Barrelfish's compiler writes it, for"
              + " --log-definitions and for Aquarium.")
  private @Nullable Path definitions;

  public ServeLogCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    BfscopeProtocol speaks = protocol();
    InetSocketAddress at = at();
    Path path = recording.path(terminal);
    LogNumbers numbers = numbers(path);
    CountDownLatch end = new CountDownLatch(1);
    try (Signals _ = Signals.onEnd(end::countDown);
        LogServer server = LogServer.start(path, at, speaks, numbers, readers(at), this::log)) {
      tell(path, at, server.port(), speaks);
      end.await();
    } catch (BindException e) {
      throw new IOException(
          "cannot listen: address=%s port=%d error=\"%s\"; give another --port"
              .formatted(address, port, e.getMessage()),
          e);
    }
    return ExitCode.OK;
  }

  /** Who gives an address of a network has been told that everybody can read there. */
  private static Predicate<Socket> readers(InetSocketAddress at) {
    return at.getAddress().isLoopbackAddress()
        ? PeerUser.ofThisProcess()::isSurelyAllowed
        : client -> true;
  }

  private BfscopeProtocol protocol() {
    int version = protocol != null ? protocol : port == FIRST_PORT ? 1 : 2;
    if (version != 1 && version != 2) {
      throw new UsageException("no such protocol: protocol=" + version + "; use 1 or 2");
    }
    if (digits == null) {
      return version == 1 ? BfscopeProtocol.ASKED_SIX : BfscopeProtocol.PUSHED;
    }
    if (version != 1) {
      throw new UsageException("--digits goes with --protocol 1 only");
    }
    return switch (digits) {
      case SHORT_HEADER -> BfscopeProtocol.ASKED_SIX;
      case LONG_HEADER -> BfscopeProtocol.ASKED_EIGHT;
      default -> throw new UsageException("--digits must be 6 or 8: digits=" + digits);
    };
  }

  private InetSocketAddress at() {
    if (port < 0 || port > 65535) {
      throw new UsageException("no such port: port=" + port + "; use 0 to 65535");
    }
    try {
      return new InetSocketAddress(InetAddress.getByName(address), port);
    } catch (UnknownHostException e) {
      throw new UsageException("no such host: address=" + address);
    }
  }

  private LogNumbers numbers(Path path) throws IOException {
    LogNumbers numbers;
    try (Recording open = Recording.open(path)) {
      numbers = new LogNumbers(RecordedDefinitions.read(open, new Diagnostics()));
    }
    Path file = definitions;
    if (file != null) {
      write(numbers, file);
      numbers.onNew(() -> {
        try {
          write(numbers, file);
        } catch (IOException e) {
          terminal.warn(
              "definitions of new events were not written: path=%s error=\"%s\""
                  .formatted(file, e.getMessage()));
        }
      });
    }
    return numbers;
  }

  /** Whoever reads it meanwhile has the old or the new file. */
  private static void write(LogNumbers numbers, Path file) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(fresh, numbers.json());
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private void tell(Path path, InetSocketAddress at, int real, BfscopeProtocol speaks)
      throws IOException {
    long frequency;
    try (Recording open = Recording.open(path)) {
      frequency = open.metadata().clock().frequency();
    }
    String host = at.getAddress().isAnyLocalAddress() ? "HOST" : address;
    String version = speaks == BfscopeProtocol.PUSHED ? "2" : "1";
    if (!at.getAddress().isLoopbackAddress()) {
      terminal.warn(
          "everybody who reaches this address can read the recording: address=" + address);
    }
    terminal.line(
        "%s: kymo view 'tcp://%s:%d?protocol=%s' --frequency %d  (Ctrl-C ends)"
            .formatted(
                path.getFileName(),
                host.contains(":") ? "[" + host + "]" : host,
                real,
                version,
                frequency));
    terminal.flush();
  }

  private synchronized void log(String line) {
    terminal.line(line);
    terminal.flush();
  }
}
