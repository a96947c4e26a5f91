package dev.kymo.cli.network;

import dev.kymo.session.network.SendTarget;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** To whom recordings are sent. */
public final class SendOptions {
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

  /** Whether options were given that go with --to only. */
  public boolean isVain() {
    return to == null && (session != null || insecure || kafkaConfig != null);
  }

  /** The receiver; null = nothing is sent. */
  public @Nullable SendTarget receiver() {
    return to == null
        ? null
        : new SendTarget(to, session == null ? "" : session, insecure, kafkaConfig);
  }
}
