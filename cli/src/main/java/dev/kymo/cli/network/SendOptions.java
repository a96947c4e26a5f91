package dev.kymo.cli.network;

import dev.kymo.cli.terminal.UsageException;
import dev.kymo.network.send.Destination;
import dev.kymo.network.send.Pipe;
import dev.kymo.network.send.Route;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** To whom recordings are sent. */
public final class SendOptions {
  private static final String OUTPUT = "-";
  private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
  private static final Pattern TERMINAL = Pattern.compile("/dev/(pts|tty|console)");

  @Option(
      names = "--to",
      paramLabel = "HOST:PORT",
      description =
          "Send the recording to 'kymo listen' there, while it is made; see docs/machines.md."
              + " kafka://HOST:PORT/TOPIC sends it through a topic of Kafka, - writes it to"
              + " standard output, for 'kymo listen --address -'.")
  private @Nullable String to;

  @Option(
      names = "--session",
      paramLabel = "NAME",
      description = "With --to: put it beside the other recordings of this session.")
  private @Nullable String session;

  @Option(
      names = "--insecure",
      description = "With --to: do not encrypt, and do not ask who the receiver is.")
  private boolean insecure;

  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      description = "With --to kafka://: settings of Kafka's producer, name=value.")
  private @Nullable Path kafkaConfig;

  /** Whether anything is sent. */
  public boolean isOn() {
    return to != null;
  }

  /** Whether options were given that go with --to only. */
  public boolean isVain() {
    return to == null && (session != null || insecure || kafkaConfig != null);
  }

  /** Whether it goes to standard output, where nothing else may go then. */
  public boolean isToOutput() {
    return OUTPUT.equals(to);
  }

  /** {@code HOST:PORT}; empty if nothing is sent. */
  public String address() {
    return to == null ? "" : to;
  }

  /** Groups recordings; empty = none. */
  public String session() {
    return session == null ? "" : session;
  }

  /** What is known of the receiver. */
  public Route destination() throws IOException {
    if (isToOutput()) {
      return output();
    }
    if (!Transports.isMeant(address())) {
      return Destination.of(address(), NetworkPlaces.trusted(), NetworkPlaces.own(), insecure);
    }
    try {
      return Transports.of(address()).route(address(), Transports.settings(kafkaConfig));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static Route output() throws IOException {
    if (TERMINAL.matcher(Files.readSymbolicLink(STANDARD_OUTPUT).toString()).lookingAt()) {
      throw new UsageException(
          "--to - writes what only 'kymo listen' reads: kymo record --to - -- COMMAND | kymo listen --address - -d DIR");
    }
    return new Pipe(OUTPUT, new FileOutputStream(FileDescriptor.out).getChannel());
  }
}
