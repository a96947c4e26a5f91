package dev.kymo.network.send;

import dev.kymo.format.SentBytes;
import dev.kymo.network.wire.FrameType;
import dev.kymo.network.wire.FrameWriter;
import dev.kymo.network.wire.Hello;
import dev.kymo.network.wire.MachineBoot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends a recording while it grows, on a thread of its own. When the connection ends it connects
 * again, and goes on after what the receiver has acknowledged.
 */
public final class Sender implements AutoCloseable {
  private static final long QUIET_MILLIS = 10;
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 2_000;
  private static final long MARK_BYTES = 4 << 20;
  private static final long MARK_NANOS = 100_000_000;
  private static final long STATE_NANOS = 1_000_000_000;
  private static final int QUICK_EXCHANGES = 20;
  private static final long QUICK_NANOS = 50_000_000;
  private static final long EXCHANGE_NANOS = 1_000_000_000;
  private static final int KEPT_A_SECOND = 20;

  private final Source source;
  private final Route to;
  private final Consumer<String> log;
  private final SentDirectory directory;
  private final @Nullable KeptExchanges exchanges;
  private final Thread thread;
  private volatile boolean connected;
  private volatile boolean finishing;
  private volatile boolean closed;
  private volatile boolean complete;
  private volatile boolean refused;
  private volatile long acknowledgedBytes;
  private volatile long lastProgress = System.nanoTime();
  private volatile @Nullable Link connection;
  private boolean said;
  private long mark;
  private long markedAt;
  private long markedBytes;
  private boolean marked;
  private boolean spooledLess;
  private long stateAt = System.nanoTime();
  private long exchangedAt;
  private int exchanged;

  /**
   * What is sent.
   *
   * @param directory of the recording
   * @param hello who sends, and what
   * @param clock the recording's; null if it is over, and cannot be compared with the receiver's
   * @param space takes back what was sent; {@link Space#KEPT} if it stays
   * @param spool whether the directory is a spool
   */
  public record Source(
      Path directory, Hello hello, @Nullable Ticks clock, Space space, boolean spool) {}

  /**
   * A clock.
   *
   * @param now its value
   * @param frequency how much that grows in a second
   */
  public record Ticks(LongSupplier now, long frequency) {}

  private Sender(Source source, Route to, Consumer<String> log) throws IOException {
    this.source = source;
    this.to = to;
    this.log = log;
    this.directory = new SentDirectory(source.directory(), SentBytes.read(source.directory()));
    this.exchanges =
        source.clock() == null
            ? null
            : new KeptExchanges(
                source.directory(), MachineBoot.id(), source.clock().frequency() / KEPT_A_SECOND);
    this.thread = Thread.ofPlatform().name("kymo sender").unstarted(this::run);
  }

  /**
   * Begins to send.
   *
   * @param log takes a sentence when the receiver cannot be reached, and when it can again
   */
  public static Sender start(Source source, Route to, Consumer<String> log) throws IOException {
    Sender sender = new Sender(source, to, log);
    if (source.spool()) {
      sender.writeState(SentBytes.read(source.directory()));
    }
    sender.thread.start();
    return sender;
  }

  public boolean isConnected() {
    return connected;
  }

  /** Bytes that the receiver has on disk. */
  public long acknowledgedBytes() {
    return acknowledgedBytes;
  }

  /**
   * The recording is complete: sends the rest.
   *
   * @param patienceMillis how long to wait while nothing goes on
   * @return whether the receiver has all of it
   */
  public boolean finish(long patienceMillis) throws InterruptedException {
    finishing = true;
    lastProgress = System.nanoTime();
    while (thread.isAlive()
        && System.nanoTime() - lastProgress < TimeUnit.MILLISECONDS.toNanos(patienceMillis)) {
      thread.join(QUIET_MILLIS);
    }
    return complete;
  }

  private void run() {
    long pause = FIRST_PAUSE_MILLIS;
    try {
      while (!complete && !closed && !refused) {
        try {
          converse();
          pause = FIRST_PAUSE_MILLIS;
        } catch (IOException e) {
          pause = connected ? FIRST_PAUSE_MILLIS : Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
          connected = false;
          failed(e);
          if (!refused && !closed) {
            Thread.sleep(pause);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void failed(IOException e) {
    if (e instanceof RefusedException why && why.isForGood()) {
      refused = true;
      log.accept(
          "the receiver refuses: to=%s why=\"%s\"".formatted(to.address(), why.getMessage()));
    } else if (!said && !closed) {
      said = true;
      log.accept(
          "the receiver cannot be reached: to=%s error=\"%s\"; what it does not get is kept here, and sent when it is back"
              .formatted(to.address(), e.getMessage()));
    }
  }

  private void converse() throws IOException, InterruptedException {
    LongSupplier clock = source.clock() == null ? () -> 0 : source.clock().now();
    try (Link now = to.open(source.hello(), clock)) {
      connection = now;
      connected = true;
      if (said) {
        said = false;
        log.accept("the receiver is back: to=" + to.address());
      }
      if (exchanges != null && !now.receiverClock().isEmpty()) {
        exchanges.with(now.receiverClock());
      }
      marked = false;
      markedBytes = 0;
      directory.restart(now.out());
      try {
        while (!complete && !closed) {
          goOn(now);
        }
      } catch (IOException e) {
        throw now.reason(e);
      }
    } finally {
      connection = null;
    }
  }

  private void goOn(Link now) throws IOException, InterruptedException {
    // Read first: if the recording was complete then, everything is sent by this round.
    boolean last = finishing;
    FrameWriter out = now.out();
    takeAnswers(now);
    exchange(now);
    boolean any = directory.goOn(out, last);
    markWhatWasSent(out, any);
    if (last && !any) {
      directory.done(out);
      out.flush();
      while (!now.isDone() && !closed) {
        now.await(QUIET_MILLIS);
      }
      complete = now.isDone();
    } else if (!any) {
      out.flush();
      now.await(QUIET_MILLIS);
    } else {
      lastProgress = System.nanoTime();
    }
  }

  private void takeAnswers(Link now) throws IOException {
    if (marked && now.acknowledged() >= mark) {
      marked = false;
      spooledLess = true;
      acknowledgedBytes = directory.acknowledge();
      lastProgress = System.nanoTime();
    }
    if (exchanges != null) {
      now.exchanges().forEach(exchanges::add);
    }
    if (System.nanoTime() - stateAt >= STATE_NANOS || finishing) {
      stateAt = System.nanoTime();
      if (exchanges != null) {
        exchanges.write();
      }
      if (source.spool() && spooledLess) {
        spooledLess = false;
        writeState(directory.acknowledged());
        directory.free(source.space());
      }
    }
  }

  /** One mark at a time is under way; the receiver's disk takes what it takes. */
  private void markWhatWasSent(FrameWriter out, boolean any) throws IOException {
    long now = System.nanoTime();
    boolean due = out.sent() - markedBytes >= MARK_BYTES || now - markedAt >= MARK_NANOS;
    if (!marked && due && (any || out.sent() != markedBytes)) {
      directory.mark();
      marked = true;
      out.begin(FrameType.MARK).u64(++mark).end();
      out.flush();
      markedAt = now;
      markedBytes = out.sent();
    }
  }

  private void exchange(Link now) throws IOException {
    long time = System.nanoTime();
    if (exchanges != null
        && time - exchangedAt >= (exchanged < QUICK_EXCHANGES ? QUICK_NANOS : EXCHANGE_NANOS)) {
      exchangedAt = time;
      exchanged++;
      now.askClock();
    }
  }

  /** Before space is given up, so that nothing is looked for there. */
  private void writeState(Map<String, Long> sent) throws IOException {
    WholeFile.write(source.directory().resolve(SentBytes.FILE), SentBytes.text(sent));
  }

  /** Ends sending, wherever it is. */
  @Override
  public void close() throws IOException {
    closed = true;
    Link open = connection;
    if (open != null && thread.isAlive()) {
      open.close();
    }
    thread.interrupt();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (source.spool() && !complete) {
      writeState(directory.acknowledged());
    }
    directory.close();
  }
}
