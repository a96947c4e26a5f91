package dev.kymo.exporters.barrelfish;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A client of a {@link LogServer}. One thread reads the recording and writes, another hears what
 * the client says.
 */
final class LogClient implements AutoCloseable {
  private static final long POLL_MILLIS = 40;

  /** Most time that a client has to close its end when everything was sent, milliseconds. */
  private static final long LINGER_MILLIS = 5_000;

  private final Socket socket;
  private final BfscopeProtocol protocol;
  private final Consumer<String> log;
  private final Consumer<LogClient> gone;
  private final Requests requests = new Requests();
  private final CountDownLatch closing = new CountDownLatch(1);
  private Thread writer = Thread.currentThread();
  private boolean answered;

  LogClient(
      Socket socket, BfscopeProtocol protocol, Consumer<String> log, Consumer<LogClient> gone) {
    this.socket = socket;
    this.protocol = protocol;
    this.log = log;
    this.gone = gone;
  }

  void start(Path recording, LogNumbers numbers) {
    writer = Thread.ofPlatform().name("log client").daemon().start(() -> serve(recording, numbers));
  }

  private void serve(Path recording, LogNumbers numbers) {
    String name = String.valueOf(socket.getRemoteSocketAddress()).substring(1);
    Thread reader = Thread.ofPlatform().name("log requests").daemon().unstarted(this::hear);
    try (socket;
        LogStream stream = LogStream.open(recording, numbers, this::send)) {
      reader.start();
      log.accept("client=%s has come".formatted(name));
      sendAll(stream);
      log.accept(
          "client=%s has been sent everything: events=%d; calls and states have no place in a log: left_out=%d"
              .formatted(name, stream.events(), stream.leftOut()));
      socket.shutdownOutput();
      reader.join(LINGER_MILLIS);
    } catch (IOException e) {
      if (closing.getCount() > 0) {
        String why = requests.wrong();
        log.accept(
            "client=%s is gone: reason=%s".formatted(name, why.isEmpty() ? e.getMessage() : why));
      }
    } catch (InterruptedException e) {
      // the server is closed
    } catch (RuntimeException e) {
      log.accept(
          "client=%s is not served any more, which is a fault of Kymo: %s".formatted(name, e));
    } finally {
      gone.accept(this);
    }
  }

  private void sendAll(LogStream stream) throws IOException, InterruptedException {
    boolean more = true;
    while (more) {
      if (protocol.isAsked() && !requests.await()) {
        throw new IOException("it has ended the connection");
      }
      answered = false;
      more = stream.poll();
      if (more && protocol.isAsked() && !answered) {
        send(new byte[0]); // asked for, but there is nothing new
      }
      boolean closed =
          closing.await(protocol.isAsked() ? 0 : POLL_MILLIS, TimeUnit.MILLISECONDS)
              || socket.isClosed();
      if (more && closed) {
        throw new IOException("closed");
      }
    }
  }

  private void send(byte[] dump) throws IOException {
    if (protocol.isAsked()) {
      try {
        if (!requests.take()) {
          throw new IOException("it has ended the connection");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("closed", e);
      }
    }
    answered = true;
    OutputStream out = socket.getOutputStream();
    out.write(protocol.header(dump.length));
    out.write(dump);
  }

  /** Closes the connection when the client says something that it should not. */
  private void hear() {
    try {
      InputStream in = socket.getInputStream();
      byte[] buffer = new byte[512];
      int length = in.read(buffer);
      while (length >= 0 && requests.hear(buffer, length, protocol.isAsked())) {
        length = in.read(buffer);
      }
      if (length >= 0) {
        socket.close();
      }
    } catch (IOException e) {
      // the writer sees it, too
    } finally {
      requests.end();
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    closing.countDown();
    socket.close();
    requests.end();
    writer.join();
  }
}
