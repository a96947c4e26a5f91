package dev.kymo.kernel.daemon;

import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One connection. All but {@link #out}, {@link #asked} and {@link #running} is the socket thread's.
 */
final class Client {
  final int number;
  final SocketChannel channel;
  final long owner;
  final long uid;
  final OutQueue out = new OutQueue();
  final FrameReader in = new FrameReader(Frames.LARGEST_REQUEST);

  /** When it asked for something last. */
  long askedNanos = System.nanoTime();

  /** Whether it has said HELLO. */
  boolean greeted;

  @Nullable Registration registration;

  /** Whether it is let go as soon as all was sent, and since when. */
  boolean closing;

  long closingNanos;

  /** How much of what it asked for is still to be begun. */
  final AtomicInteger asked = new AtomicInteger();

  /** Services that are on for it, for people; empty for none. */
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
