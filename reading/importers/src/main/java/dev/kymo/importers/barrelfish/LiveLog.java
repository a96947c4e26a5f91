package dev.kymo.importers.barrelfish;

import dev.kymo.writer.RecordingFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A recording of what a bfscope sends, which grows by each dump. A thread of its own takes the
 * dumps; the recording is complete when the connection ends or this object is closed.
 */
public final class LiveLog implements AutoCloseable {
  private static final int CONNECT_MILLIS = 5_000;

  private static final byte[] ASK = "trace\n".getBytes(StandardCharsets.US_ASCII);

  private final BfscopeAddress address;
  private final Socket socket;
  private final DumpReader dumps;
  private final RecordingFiles files;
  private final LogFacts facts;
  private final CycleClock clock;
  private final LogWriter writer;
  private final Consumer<String> complaints;
  private final long askEvery;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private boolean begun;
  private long lines;

  private LiveLog(
      BfscopeAddress address,
      Socket socket,
      RecordingFiles files,
      CycleClock clock,
      LogFacts facts,
      long askEvery,
      Consumer<String> complaints)
      throws IOException {
    this.address = address;
    this.socket = socket;
    this.dumps = new DumpReader(socket.getInputStream(), address.protocol());
    this.files = files;
    this.clock = clock;
    this.facts = facts;
    this.writer = new LogWriter(files, facts, new Mishaps(address.name()));
    this.askEvery = askEvery;
    this.complaints = complaints;
    this.thread = Thread.ofPlatform().name("bfscope").daemon().unstarted(this::run);
  }

  /**
   * Connects, and begins to record.
   *
   * @param directory empty, becomes the recording
   * @param frequency of the processor, cycles a second; 0 = unknown
   * @param names what the numbers of events mean; null = to be guessed from the numbers
   * @param askEvery milliseconds between dumps that are asked for (protocol 1)
   * @param complaints takes a sentence about each later failure
   */
  public static LiveLog follow(
      BfscopeAddress address,
      Path directory,
      long frequency,
      @Nullable EventNames names,
      long askEvery,
      Consumer<String> complaints)
      throws IOException {
    Socket socket = connect(address);
    try {
      CycleClock clock = new CycleClock(frequency);
      RecordingFiles files = RecordingFiles.growing(directory, clock.clock());
      LiveLog log =
          new LiveLog(address, socket, files, clock, new LogFacts(names), askEvery, complaints);
      log.thread.start();
      return log;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static Socket connect(BfscopeAddress address) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_MILLIS);
      return socket;
    } catch (IOException | IllegalArgumentException e) {
      socket.close();
      throw new IOException(
          "cannot connect to a bfscope: host=%s port=%d error=\"%s\"; is tracing on, and the port"
                  .formatted(address.host(), address.port(), e.getMessage())
              + " reachable from here?",
          e);
    }
  }

  private void run() {
    try (socket;
        writer) {
      takeAll();
      if (!begun) {
        begin();
      }
    } catch (IOException e) {
      if (!isClosing()) {
        complaints.accept("the bfscope is not followed any more: " + e.getMessage());
      }
    } catch (RuntimeException e) {
      complaints.accept("the bfscope is not followed any more, which is a fault of Kymo: " + e);
    }
  }

  private void takeAll() throws IOException {
    try {
      boolean more = true;
      while (more) {
        ask();
        byte[] dump = dumps.next();
        more = dump != null;
        if (dump != null) {
          take(dump);
        }
        more &= address.protocol() == 2 || !closing.await(askEvery, TimeUnit.MILLISECONDS);
      }
      said();
    } catch (IOException e) {
      if (!isClosing()) {
        throw e;
      }
    } catch (InterruptedException e) {
      // ends like a closed recording
    }
  }

  private void ask() throws IOException {
    if (address.protocol() == 1) {
      OutputStream out = socket.getOutputStream();
      out.write(ASK);
      out.flush();
    }
  }

  private void said() throws IOException {
    String cut = dumps.cut();
    if (cut != null) {
      String text = "the connection to the bfscope ended within a dump: " + cut;
      complaints.accept(text);
      writer.notice(text);
    } else if (!isClosing()) {
      complaints.accept(
          "the bfscope has ended the connection: host=%s port=%d"
              .formatted(address.host(), address.port()));
    }
  }

  private void take(byte[] dump) throws IOException {
    LineReader reader = new LineReader(new ByteArrayInputStream(dump));
    for (String line = reader.next(); line != null; line = reader.next()) {
      facts.add(LineParser.parse(line));
    }
    if (!begun && facts.events() > 0) {
      begin();
    }
    reader = new LineReader(new ByteArrayInputStream(dump));
    for (String line = reader.next(); line != null; line = reader.next()) {
      writer.add(LineParser.parse(line), ++lines);
    }
    if (begun) {
      files.present(writer.flush());
    }
  }

  private void begin() throws IOException {
    begun = true;
    writer.begin(address.name(), clock.notices());
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  public boolean isGrowing() {
    return thread.isAlive();
  }

  /** Ends the connection; the recording is complete then. */
  @Override
  public void close() throws IOException {
    closing.countDown();
    socket.close();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
