package dev.kymo.cli.exchange;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.words.DiskSizeConverter;
import dev.kymo.cli.words.DurationConverter;
import dev.kymo.network.listen.Identity;
import dev.kymo.network.listen.Limits;
import dev.kymo.network.listen.PipedParcels;
import dev.kymo.network.listen.ReceivedParcels;
import dev.kymo.network.listen.Receiver;
import dev.kymo.network.listen.Retention;
import dev.kymo.network.transport.Transport;
import dev.kymo.network.wire.ProtocolException;
import dev.kymo.network.wire.ReceiverLine;
import dev.kymo.session.ExitCode;
import dev.kymo.session.UsageException;
import dev.kymo.session.network.HostName;
import dev.kymo.session.network.NetworkPlaces;
import dev.kymo.session.network.Transports;
import dev.kymo.session.system.Signals;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kymo listen}: receives recordings from other machines, until it is interrupted. */
@Command(
    name = "listen",
    mixinStandardHelpOptions = true,
    description = {
      "Receives recordings from other machines, while they are made.",
      "'kymo record --to' and 'kymo send' send them. Each gets a directory of its own, where it"
          + " can be viewed while it grows. See docs/machines.md."
    })
public final class ListenCommand implements Callable<Integer> {
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9A-Fa-f:.%]+\\]|[^\\[\\]:/\\s]*):(\\d{1,5})");

  private static final String INPUT = "-";

  private final Terminal terminal;

  @Option(
      names = {"-d", "--directory"},
      required = true,
      paramLabel = "DIR",
      description = "Where the recordings go; it must exist.")
  private Path directory;

  @Option(
      names = "--address",
      paramLabel = "[HOST]:PORT",
      defaultValue = ":7700",
      description =
          "Where to listen; without HOST on all networks; default: ${DEFAULT-VALUE}. With - take"
              + " from standard input what 'kymo record --to -' writes.")
  private String address;

  @Option(
      names = "--senders",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Most senders at a time; default: ${DEFAULT-VALUE}.")
  private int senders;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      defaultValue = "none",
      converter = DiskSizeConverter.class,
      description = "Most bytes of a recording, for instance 20G; default: ${DEFAULT-VALUE}.")
  private long maxSize;

  @Option(
      names = "--max-total",
      paramLabel = "SIZE",
      defaultValue = "none",
      converter = DiskSizeConverter.class,
      description =
          "Most bytes of all recordings that were received in DIR, for instance 500G: the oldest"
              + " ones that are complete are removed to have room for others; default:"
              + " ${DEFAULT-VALUE}.")
  private long maxTotal;

  @Option(
      names = "--max-age",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Remove recordings this long after they were complete, for instance 30d.")
  private Duration maxAge = Duration.ZERO;

  @Option(
      names = "--max-rate",
      paramLabel = "SIZE",
      defaultValue = "none",
      converter = DiskSizeConverter.class,
      description = "Most bytes a second of a sender, for instance 20M; default: ${DEFAULT-VALUE}.")
  private long maxRate;

  @Option(
      names = "--insecure",
      description = "Take what is not encrypted also from other machines.")
  private boolean insecure;

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT/TOPIC",
      description = "Receive what is sent to a topic of Kafka, instead of listening.")
  private @Nullable String kafka;

  @Option(
      names = "--group",
      paramLabel = "NAME",
      defaultValue = "kymo",
      description =
          "With --kafka: name by which Kafka knows what was received; each receiver needs one of"
              + " its own; default: ${DEFAULT-VALUE}.")
  private String group;

  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      description = "With --kafka: settings of Kafka's consumer, name=value.")
  private @Nullable Path kafkaConfig;

  public ListenCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (senders < 1) {
      throw new UsageException("--senders must be at least 1");
    }
    if (!Files.isDirectory(directory)) {
      throw new UsageException("no such directory: path=" + directory);
    }
    if (kafka != null) {
      return receive("kafka://" + kafka.replaceFirst("^kafka://", ""));
    }
    if (kafkaConfig != null) {
      throw new UsageException("--kafka-config goes with --kafka only");
    }
    if (address.equals(INPUT)) {
      return receiveInput();
    }
    InetSocketAddress at = address(address);
    Limits limits = new Limits(senders, kept(), maxRate, insecure);
    CountDownLatch end = new CountDownLatch(1);
    Identity identity = Identity.in(NetworkPlaces.own());
    try (Signals _ = Signals.onEnd(end::countDown);
        Receiver receiver =
            Receiver.start(at, directory.toAbsolutePath(), identity, limits, this::log)) {
      tell(at, receiver.port(), identity);
      end.await();
    }
    return ExitCode.OK;
  }

  private Retention kept() {
    return new Retention(limit(maxSize), limit(maxTotal), maxAge);
  }

  private static long limit(long bytes) {
    return bytes == 0 ? Long.MAX_VALUE : bytes;
  }

  private int receive(String topic) throws IOException, InterruptedException {
    if (maxRate != 0) {
      throw new UsageException("--max-rate does not go with --kafka");
    }
    Transport.Target target =
        new Transport.Target(directory.toAbsolutePath(), group, kept(), this::log);
    CountDownLatch end = new CountDownLatch(1);
    try (Signals _ = Signals.onEnd(end::countDown);
        Transport.Receiving _ =
            Transports.of(topic).receive(topic, Transports.settings(kafkaConfig), target)) {
      log("receiving from %s, recordings go to %s".formatted(topic, directory));
      end.await();
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    return ExitCode.OK;
  }

  private int receiveInput() throws IOException {
    try (ReceivedParcels parcels =
        ReceivedParcels.in(directory.toAbsolutePath(), kept(), this::log)) {
      List<Path> incomplete = PipedParcels.receive(System.in, parcels);
      for (Path path : incomplete) {
        terminal.warn("the rest of the recording has not come: path=" + path);
      }
      return incomplete.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    } catch (ProtocolException e) {
      throw new IOException("standard input is not understood: " + e.getMessage(), e);
    }
  }

  private void tell(InetSocketAddress at, int port, Identity identity) throws IOException {
    String host = at.getAddress().isAnyLocalAddress() ? HostName.find() : at.getHostString();
    ReceiverLine line = new ReceiverLine(host, port, identity.fingerprint(), identity.token());
    terminal.line("listening on port %d, recordings go to %s".formatted(port, directory));
    terminal.line("");
    terminal.line(
        "On another machine, say once 'kymo trust' and paste this line, which is a secret:");
    terminal.line(line.toString());
    terminal.line("");
    terminal.line("Then: kymo record --to %s -- COMMAND".formatted(line.address()));
    terminal.line("");
    terminal.flush();
  }

  private synchronized void log(String line) {
    terminal.line(line);
    terminal.flush();
  }

  private static InetSocketAddress address(String text) {
    Matcher matcher = ADDRESS.matcher(text);
    if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > 0xffff) {
      throw new UsageException("not an address: address=" + text + "; give HOST:PORT or :PORT");
    }
    int port = Integer.parseInt(matcher.group(2));
    try {
      return matcher.group(1).isEmpty()
          ? new InetSocketAddress(port)
          : new InetSocketAddress(InetAddress.getByName(matcher.group(1)), port);
    } catch (UnknownHostException e) {
      throw new UsageException("no such host: address=" + text);
    }
  }
}
