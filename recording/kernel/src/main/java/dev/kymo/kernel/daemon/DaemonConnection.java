package dev.kymo.kernel.daemon;

import dev.kymo.kernel.KernelException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The client's end of the socket. Used by one thread. */
final class DaemonConnection implements AutoCloseable {
  private static final int HELLO_MILLIS = 10_000;
  private static final int READS_AT_ONCE = 64;

  private final Path path;
  private final SocketChannel channel;
  private final Selector selector;
  private final FrameReader in = new FrameReader(Frames.LARGEST_ANSWER);
  private int processors;
  private long heardNanos = System.nanoTime();

  interface Taker {
    /**
     * A frame that is not an answer.
     *
     * @param body valid during the call
     */
    void take(int type, ByteBuffer body) throws IOException;
  }

  private DaemonConnection(Path path, SocketChannel channel, Selector selector) {
    this.path = path;
    this.channel = channel;
    this.selector = selector;
  }

  /**
   * Connects, and asks who is there.
   *
   * @throws KernelException if nobody is there, or the daemon refuses
   */
  static DaemonConnection open(Path socket) throws IOException {
    SocketChannel channel;
    try {
      channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    } catch (IOException | IllegalArgumentException e) {
      throw new KernelException(
          "no daemon for kernel events: socket=%s: %s; run as root: kymo daemon"
              .formatted(socket, e.getMessage()),
          e);
    }
    Selector selector = Selector.open();
    DaemonConnection connection = new DaemonConnection(socket, channel, selector);
    try {
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      connection.hello();
      return connection;
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private void hello() throws IOException {
    try {
      send(new Frames.Builder(Frames.HELLO).u32(Frames.MAGIC).u16(Frames.VERSION).frame());
    } catch (KernelException e) {
      // it may have said why before it closed
    }
    ByteBuffer body =
        answer(
            Frames.HELLO,
            HELLO_MILLIS,
            (type, _) -> {
              throw new ProtocolException("this is not Kymo's daemon: type=" + type);
            });
    Frames.need(body, 4);
    body.getShort();
    processors = body.getShort() & 0xFFFF;
  }

  int processors() {
    return processors;
  }

  void send(ByteBuffer frame) throws IOException {
    try {
      while (frame.hasRemaining()) {
        channel.write(frame); // requests are small
      }
    } catch (IOException e) {
      throw gone(e);
    }
  }

  private KernelException gone(@Nullable IOException e) {
    return new KernelException(
        "the daemon for kernel events is gone: socket=%s%s"
            .formatted(path, e == null ? "" : ": " + e.getMessage()),
        e);
  }

  /**
   * Waits for the answer to a request.
   *
   * @param other takes the frames before it
   * @return the body of OK
   * @throws KernelException with the daemon's reason if the answer is FAILED, or if no answer comes
   */
  ByteBuffer answer(int request, long millis, Taker other) throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < end) {
      ByteBuffer frame = in.next();
      if (frame == null) {
        read(TimeUnit.NANOSECONDS.toMillis(Math.max(0, end - System.nanoTime())));
        continue;
      }
      int type = frame.get() & 0xFF;
      if (type == Frames.OK) {
        Frames.need(frame, 1);
        int of = frame.get() & 0xFF;
        if (of != request) {
          throw new ProtocolException("the daemon answered something else: request=" + of);
        }
        return frame;
      }
      take(type, frame, other);
    }
    throw new KernelException(
        "the daemon for kernel events does not answer: socket=%s request=%s waited_ms=%d"
            .formatted(path, Frames.name(request), millis));
  }

  private void take(int type, ByteBuffer body, Taker taker) throws IOException {
    if (type == Frames.FAILED) {
      Frames.need(body, 1);
      int request = body.get() & 0xFF;
      throw new KernelException(
          "the daemon for kernel events refuses%s: %s"
              .formatted(request == 0 ? "" : " " + Frames.name(request), Frames.text(body)));
    }
    taker.take(type, body);
  }

  long silentMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - heardNanos);
  }

  /** Delivers the frames that have come; waits at most this long for them. */
  void round(long millis, Taker taker) throws IOException {
    long wait = millis;
    for (int i = 0; i < READS_AT_ONCE && read(wait); i++) {
      for (ByteBuffer frame = in.next(); frame != null; frame = in.next()) {
        take(frame.get() & 0xFF, frame, taker);
      }
      wait = 0;
    }
  }

  private boolean read(long millis) throws IOException {
    try {
      int count = in.read(channel);
      if (count == 0 && millis > 0) {
        selector.selectedKeys().clear();
        selector.select(millis);
        count = in.read(channel);
      }
      if (count < 0) {
        throw gone(null);
      }
      if (count > 0) {
        heardNanos = System.nanoTime();
      }
      return count > 0;
    } catch (KernelException e) {
      throw e;
    } catch (IOException e) {
      throw gone(e);
    }
  }

  @Override
  public void close() throws IOException {
    try (selector) {
      channel.close();
    }
  }
}
