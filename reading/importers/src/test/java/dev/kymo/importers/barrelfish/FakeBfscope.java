package dev.kymo.importers.barrelfish;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Speaks like a bfscope to one client: sends the given bytes. */
final class FakeBfscope implements AutoCloseable {
  private static final byte[] END = {};

  private final ServerSocket server;
  private final BlockingQueue<byte[]> replies = new LinkedBlockingQueue<>();
  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
  private final boolean asked;
  private final Thread thread;

  /** Sends each reply as soon as it has it or, if {@code asked}, for each line it receives. */
  FakeBfscope(boolean asked) throws IOException {
    this.asked = asked;
    server = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
    thread = Thread.ofPlatform().name("fake bfscope").start(this::run);
  }

  BfscopeAddress address() {
    return new BfscopeAddress("127.0.0.1", server.getLocalPort(), asked ? 1 : 2);
  }

  void send(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List.of(parts).forEach(all::writeBytes);
    replies.add(all.toByteArray());
  }

  /** Ends the connection when everything has been sent. */
  void end() {
    replies.add(END);
  }

  String heard() {
    return heard.toString(StandardCharsets.US_ASCII);
  }

  private void run() {
    try (Socket socket = server.accept()) {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      while (true) {
        if (asked && !hearLine(in)) {
          return;
        }
        byte[] reply = replies.take();
        if (reply.length == 0) {
          return;
        }
        out.write(reply);
      }
    } catch (IOException | InterruptedException e) {
      // the client has gone, or the test is over
    }
  }

  private boolean hearLine(InputStream in) throws IOException {
    int read = in.read();
    while (read >= 0 && read != '\n') {
      heard.write(read);
      read = in.read();
    }
    heard.write('\n');
    return read >= 0;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    server.close();
    thread.interrupt();
    end();
    thread.join();
  }
}
