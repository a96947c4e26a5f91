package dev.kymo.cli.network;

import dev.kymo.cli.terminal.UsageException;
import dev.kymo.network.send.Destination;
import dev.kymo.network.send.Route;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** To whom recordings are sent. */
public final class SendOptions {
  @Option(
      names = "--to",
      paramLabel = "HOST:PORT",
      description = {
        "Send the recording to 'kymo listen' there, while it is made; see docs/machines.md.",
        "kafka://HOST:PORT/TOPIC sends it through a topic of Kafka."
      })
  private @Nullable String to;

  @Option(
      names = "--session",
      paramLabel = "NAME",
      description = "With --to: put it beside the other recordings of this session.")
  private @Nullable String session;

  @Option(
      names = "--insecure",
      description = "With --to: do not encrypt. Within one machine nothing is encrypted anyway.")
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
    if (!Transports.isMeant(address())) {
      return Destination.of(address(), NetworkPlaces.trusted(), NetworkPlaces.own(), insecure);
    }
    try {
      return Transports.of(address()).route(address(), Transports.settings(kafkaConfig));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
