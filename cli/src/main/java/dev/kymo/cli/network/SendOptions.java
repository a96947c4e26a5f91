package dev.kymo.cli.network;

import dev.kymo.network.send.Destination;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** To whom recordings are sent. */
public final class SendOptions {
  @Option(
      names = "--to",
      paramLabel = "HOST:PORT",
      description =
          "Send the recording to 'kymo listen' there, while it is made; see docs/machines.md.")
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

  /** Whether anything is sent. */
  public boolean isOn() {
    return to != null;
  }

  /** Whether options were given that go with --to only. */
  public boolean isVain() {
    return to == null && (session != null || insecure);
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
  public Destination destination() throws IOException {
    return Destination.of(address(), NetworkPlaces.trusted(), NetworkPlaces.own(), insecure);
  }
}
