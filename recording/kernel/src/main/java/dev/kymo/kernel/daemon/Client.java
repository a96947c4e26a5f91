package dev.kymo.kernel.daemon;

import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One connection. Everything except for {@link #out}, {@link #asked} and {@link #running} belongs
 * to the socket thread.
 */
final class Client {
  final int number;
  final SocketChannel channel;
  final long owner;
  final long uid;
  final OutQueue out = new OutQueue();
  final FrameReader in = new FrameReader(Frames.LARGEST_REQUEST);

  /** When it last asked for something. */
  long askedNanos = System.nanoTime();

  boolean greeted;

  @Nullable Registration registration;

  /** Whether it is disconnected as soon as everything is sent, and since when. */
  boolean closing;

  long closingNanos;

  /** Number of its requests that are not begun yet. */
  final AtomicInteger asked = new AtomicInteger();

  /** Services that are on for it, as text for people; empty for none. */
  volatile String running = "";

  Client(int number, SocketChannel channel, long owner) {
    this.number = number;
    this.channel = channel;
    this.owner = owner;
    this.uid = Credentials.uid(owner);
  }

  void letGo() {
    if (!closing) {
      closing = true;
      closingNanos = System.nanoTime();
    }
  }

  @Override
  public String toString() {
    return "client=%d uid=%d".formatted(number, uid);
  }
}
