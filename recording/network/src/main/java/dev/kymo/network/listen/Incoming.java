package dev.kymo.network.listen;

import dev.kymo.network.wire.FrameReader;
import dev.kymo.network.wire.FrameType;
import dev.kymo.network.wire.FrameWriter;
import dev.kymo.network.wire.Hello;
import dev.kymo.network.wire.ProtocolException;
import dev.kymo.network.wire.Secret;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a sender. Its own thread reads; what it writes to the sender comes from this
 * thread and from those that put files on disk, one at a time.
 */
final class Incoming implements Runnable {
  private static final int BUFFER = 1 << 16;

  /** A connection that begins with this byte is encrypted: a TLS record of a handshake. */
  private static final int TLS_HANDSHAKE = 22;

  private final Receiver receiver;
  private final Socket socket;
  private final String from;
  private int first;
  private boolean known;
  private @Nullable FrameWriter out;
  private @Nullable Future<?> syncing;

  Incoming(Receiver receiver, Socket socket) {
    this.receiver = receiver;
    this.socket = socket;
    this.from = String.valueOf(socket.getRemoteSocketAddress()).replaceFirst("^/", "");
  }

  @Override
  public void run() {
    try (socket) {
      converse();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      if (known) {
        receiver.log("closed %s: %s".formatted(from, reason(e)));
      } else {
        receiver.strangers().closed(from, reason(e));
      }
    } finally {
      receiver.ended(this);
    }
  }

  private static String reason(Exception e) {
    if (e instanceof SocketTimeoutException) {
      return "it said nothing for too long";
    }
    return e instanceof RuntimeException ? e.toString() : String.valueOf(e.getMessage());
  }

  /** Ends it, from any thread. */
  void hangUp() {
    try {
      socket.close();
    } catch (IOException e) {
      // It has ended.
    }
  }

  private void converse() throws IOException, InterruptedException {
    socket.setSoTimeout(Limits.SILENCE_MILLIS);
    socket.setTcpNoDelay(true);
    // A deadline for all of it: who sends a byte now and then is never silent.
    ScheduledFuture<?> deadline =
        receiver.deadlines().schedule(this::hangUp, Limits.HELLO_MILLIS, TimeUnit.MILLISECONDS);
    try (Socket secure = secured()) {
      InputStream in = secure instanceof SSLSocket ? secure.getInputStream() : rest();
      FrameReader frames = new FrameReader(new BufferedInputStream(in, BUFFER));
      out = new FrameWriter(new BufferedOutputStream(secure.getOutputStream()));
      Hello hello = hello(frames);
      if (!deadline.cancel(false)) {
        throw new IOException("it took too long to say who it is");
      }
      known = true;
      receive(hello, frames);
    } finally {
      deadline.cancel(false);
    }
  }

  /** The socket itself, or encrypted on top of it. */
  private Socket secured() throws IOException {
    first = socket.getInputStream().read();
    if (first < 0) {
      throw new EOFException("it went without a word");
    }
    InputStream begin = new ByteArrayInputStream(new byte[] {(byte) first});
    if (first == TLS_HANDSHAKE) {
      SSLSocket secure =
          (SSLSocket)
              receiver.identity().context().getSocketFactory().createSocket(socket, begin, true);
      secure.setEnabledProtocols(new String[] {"TLSv1.3"});
      secure.startHandshake();
      return secure;
    }
    if (!receiver.limits().plain() && !socket.getInetAddress().isLoopbackAddress()) {
      throw new ProtocolException("not encrypted, and from another machine");
    }
    return socket;
  }

  private InputStream rest() throws IOException {
    return new SequenceInputStream(
        new ByteArrayInputStream(new byte[] {(byte) first}), socket.getInputStream());
  }

  private Hello hello(FrameReader in) throws IOException {
    try {
      Hello hello = Hello.read(in);
      if (!Secret.same(hello.token(), receiver.identity().token())) {
        throw new ProtocolException("token is wrong");
      }
      FileName.directory(hello.name());
      if (!hello.session().isEmpty()) {
        FileName.directory(hello.session());
      }
      return hello;
    } catch (ProtocolException e) {
      refuse(true, String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private void receive(Hello hello, FrameReader in) throws IOException, InterruptedException {
    if (!receiver.takeSender(this)) {
      String why = "too many senders: most=" + receiver.limits().senders();
      refuse(false, why);
      throw new IOException(why);
    }
    receiver.takeOver(hello.recording(), this);
    try (Claim claim = new Claim(hello);
        ReceivedRecording recording = ReceivedRecording.open(claim.path, receiver.keeper())) {
      String name = recording.path().getFileName().toString();
      answer(w -> w.begin(FrameType.WELCOME).text(name).text(receiver.clock()).end());
      receiver.log("receiving %s from %s".formatted(recording.path(), from));
      try {
        take(recording, in);
      } finally {
        endSync(); // its files are closed next
      }
      receiver.log(
          "complete %s: bytes=%d received=%d"
              .formatted(recording.path(), recording.bytes(), in.taken()));
    } catch (ProtocolException e) {
      refuse(true, String.valueOf(e.getMessage()));
      throw e;
    } catch (FileSystemException | DiskException e) {
      refuse(false, String.valueOf(e.getMessage()));
      throw e;
    } finally {
      receiver.leave(hello.recording(), this);
    }
  }

  /** A directory that nobody removes meanwhile. */
  private final class Claim implements AutoCloseable {
    final Path path;

    Claim(Hello hello) throws IOException {
      path = receiver.recordings().claim(hello);
    }

    @Override
    public void close() {
      receiver.recordings().release(path);
    }
  }

  /** Takes frames until the recording is complete. */
  private void take(ReceivedRecording recording, FrameReader in)
      throws IOException, InterruptedException {
    Rate rate = new Rate(receiver.limits().rate());
    while (true) {
      FrameType type = in.next(FrameType.LARGEST);
      long came = System.nanoTime();
      switch (type) {
        case MARK -> sync(recording, in.u64());
        case CLOCK -> clock(in.u64(), came);
        case DELETE -> {
          awaitSync(); // it closes a file
          onDisk(() -> recording.take(type, in));
        }
        case DONE -> {
          awaitSync();
          onDisk(recording::done);
          answer(w -> w.begin(FrameType.DONE).end());
          return;
        }
        default ->
            onDisk(() -> {
              if (!recording.take(type, in)) {
                throw new ProtocolException("not a sender's frame: type=" + type);
              }
            });
      }
      rate.await(in.taken());
    }
  }

  /** The disk is full, or broken: perhaps not for long. */
  private static final class DiskException extends IOException {
    private static final long serialVersionUID = 1;

    DiskException(IOException cause) {
      super("cannot write: error=\"" + cause.getMessage() + "\"", cause);
    }
  }

  private interface DiskWork {
    void run() throws IOException;
  }

  private static void onDisk(DiskWork work) throws IOException {
    try {
      work.run();
    } catch (ProtocolException e) {
      throw e;
    } catch (IOException e) {
      throw new DiskException(e);
    }
  }

  /** Another thread puts it on disk and says so; meanwhile more may come. */
  private void sync(ReceivedRecording recording, long mark)
      throws IOException, InterruptedException {
    awaitSync();
    ReceivedRecording.Unsynced unsynced = recording.unsynced();
    syncing =
        receiver
            .syncers()
            .submit(() -> {
              unsynced.sync();
              answer(w -> w.begin(FrameType.ACKNOWLEDGED).u64(mark).end());
              return null;
            });
  }

  /** Waits for it; nobody is told any more whether it succeeded. */
  private void endSync() throws InterruptedException {
    Future<?> running = syncing;
    try {
      if (running != null) {
        running.get();
      }
    } catch (ExecutionException e) {
      // What is not acknowledged is sent again.
    }
  }

  private void awaitSync() throws IOException, InterruptedException {
    Future<?> running = syncing;
    syncing = null;
    try {
      if (running != null) {
        running.get();
      }
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw cause instanceof SSLException || socket.isClosed()
          ? new IOException("the connection has ended", e)
          : new DiskException(new IOException(String.valueOf(cause), e));
    }
  }

  private void clock(long theirs, long came) throws IOException {
    answer(w -> w.begin(FrameType.CLOCK).u64(theirs).u64(came).u64(System.nanoTime()).end());
  }

  private interface Answer {
    void write(FrameWriter to) throws IOException;
  }

  private synchronized void answer(Answer answer) throws IOException {
    FrameWriter to = out;
    if (to != null) {
      answer.write(to);
      to.flush();
    }
  }

  private void refuse(boolean forGood, String why) {
    try {
      answer(w -> w.begin(FrameType.REFUSED).u16(forGood ? 1 : 0).text(why).end());
    } catch (IOException e) {
      // It will not read it.
    }
  }
}
