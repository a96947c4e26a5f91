package dev.kymo.network.send;

import dev.kymo.format.ClockExchanges.Exchange;
import dev.kymo.network.wire.FrameReader;
import dev.kymo.network.wire.FrameType;
import dev.kymo.network.wire.FrameWriter;
import dev.kymo.network.wire.Hello;
import dev.kymo.network.wire.Packing;
import dev.kymo.network.wire.ProtocolException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A connection to the receiver. Its owner writes; a thread of its own reads the answers. */
final class Connection implements Link {
  private static final int BUFFER = 1 << 16;
  private static final int LARGEST_ANSWER = 1 << 12;

  private final Socket socket;
  private final FrameWriter out;
  private final FrameReader in;
  private final LongSupplier clock;
  private final String name;
  private final String receiverClock;
  private final List<Exchange> exchanges = new ArrayList<>();
  private long acknowledged;
  private long answers;
  private boolean done;
  private @Nullable IOException failure;

  private Connection(
      Socket socket,
      FrameWriter out,
      FrameReader in,
      LongSupplier clock,
      String name,
      String receiverClock) {
    this.socket = socket;
    this.out = out;
    this.in = in;
    this.clock = clock;
    this.name = name;
    this.receiverClock = receiverClock;
  }

  /**
   * Connects and is welcome.
   *
   * @param clock the recording's
   */
  static Connection open(Destination to, Hello hello, LongSupplier clock) throws IOException {
    Socket socket = to.connect();
    try {
      Packing packing = new Packing();
      FrameWriter out =
          new FrameWriter(
              new BufferedOutputStream(packing.measured(socket.getOutputStream()), BUFFER),
              packing);
      FrameReader in = new FrameReader(new BufferedInputStream(socket.getInputStream()));
      hello.write(out);
      FrameType answer = in.next(LARGEST_ANSWER);
      if (answer == FrameType.REFUSED) {
        throw refused(in);
      }
      if (answer != FrameType.WELCOME) {
        throw new ProtocolException("not a receiver's answer: frame=" + answer);
      }
      Connection connection = new Connection(socket, out, in, clock, in.text(), in.text());
      Thread.ofPlatform().daemon().name("kymo answers").start(connection::read);
      return connection;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static RefusedException refused(FrameReader in) throws IOException {
    boolean forGood = in.u16() == 1;
    return new RefusedException(in.text(), forGood);
  }

  private void read() {
    try {
      while (true) {
        FrameType type = in.next(LARGEST_ANSWER);
        long now = clock.getAsLong();
        synchronized (this) {
          switch (type) {
            case ACKNOWLEDGED -> acknowledged = in.u64();
            case CLOCK -> exchanges.add(new Exchange(in.u64(), in.u64(), in.u64(), now));
            case DONE -> done = true;
            case REFUSED -> throw refused(in);
            default -> throw new ProtocolException("not a receiver's frame: type=" + type);
          }
          answers++;
          notifyAll();
        }
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private synchronized void fail(IOException e) {
    failure = e;
    notifyAll();
    try {
      socket.close(); // whoever is writing sees it
    } catch (IOException closing) {
      e.addSuppressed(closing);
    }
  }

  /** What the receiver calls the recording. */
  String name() {
    return name;
  }

  @Override
  public String receiverClock() {
    return receiverClock;
  }

  @Override
  public FrameWriter out() {
    return out;
  }

  /** Why the receiver ended it, rather than that it could not be written any more. */
  @Override
  public synchronized IOException reason(IOException seen) {
    return failure instanceof RefusedException refused ? refused : seen;
  }

  /** The last mark that the receiver has on disk. */
  @Override
  public synchronized long acknowledged() {
    return acknowledged;
  }

  @Override
  public synchronized boolean isDone() {
    return done;
  }

  @Override
  public void askClock() throws IOException {
    out.begin(FrameType.CLOCK).u64(clock.getAsLong()).end();
    out.flush();
  }

  @Override
  public synchronized List<Exchange> exchanges() {
    List<Exchange> all = List.copyOf(exchanges);
    exchanges.clear();
    return all;
  }

  /** Waits for an answer, at most so long. */
  @Override
  public synchronized void await(long millis) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long before = answers;
    long left = millis;
    while (failure == null && !done && answers == before && left > 0) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
    if (failure != null && !done) {
      throw failure;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
