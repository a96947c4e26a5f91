package dev.kymo.session.network;

import dev.kymo.drain.RecordingDirectory;
import dev.kymo.network.send.Route;
import dev.kymo.network.send.Sender;
import dev.kymo.network.send.Space;
import dev.kymo.network.wire.Hello;
import dev.kymo.session.StandardError;
import dev.kymo.session.system.LinuxCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.LongSupplier;

/** A recording that is sent while it is made. */
public final class Sending implements AutoCloseable {
  /** After the end, while nothing goes on; a receiver that begins anew is back by then. */
  private static final long PATIENCE_MILLIS = 10_000;

  private final Delivery delivery;
  private final Path directory;
  private final Sender sender;
  private boolean complete;

  private Sending(Delivery delivery, Path directory, Sender sender) {
    this.delivery = delivery;
    this.directory = directory;
    this.sender = sender;
  }

  /**
   * Begins to send what is in a directory, and what will be.
   *
   * @param name of the recording there
   * @param clock the recording's, in ticks
   * @param frequency its ticks a second
   */
  public static Sending start(
      Delivery delivery,
      Path directory,
      String name,
      UUID recording,
      LongSupplier clock,
      long frequency)
      throws IOException {
    SendTarget receiver = delivery.receiver();
    Route to = receiver.route();
    Hello hello = new Hello(to.token(), recording, receiver.session(), name);
    boolean spool = delivery.isSpool();
    Space space = spool ? LinuxCalls::punch : Space.KEPT;
    Sender sender =
        Sender.start(
            new Sender.Source(directory, hello, new Sender.Ticks(clock, frequency), space, spool),
            to,
            StandardError::say);
    return new Sending(delivery, directory, sender);
  }

  /** What a recording is called that the user gave no name: other hosts send, too. */
  public static String defaultName(String local) throws IOException {
    return HostName.find() + "-" + local;
  }

  /** Whether no more may be written that has not been sent yet. */
  public boolean isFull(long written) {
    return delivery.isFull(written - sender.acknowledgedBytes(), sender.isConnected());
  }

  /** The recording is complete: sends the rest. Returns whether the receiver has it. */
  public boolean finish() throws InterruptedException {
    complete = sender.finish(PATIENCE_MILLIS);
    return complete;
  }

  /** Where it is sent, {@code HOST:PORT}. */
  public String address() {
    return delivery.receiver().address();
  }

  /** What to do about what was not sent. */
  public String rest() {
    return "not everything was sent: to=%s kept=%s; send the rest with: kymo send %s --to %s"
        .formatted(address(), directory, directory, address());
  }

  /** Ends it, and removes a spool that was sent. */
  @Override
  public void close() throws IOException {
    sender.close();
    if (complete && delivery.isSpool()) {
      RecordingDirectory.delete(directory);
    }
  }
}
