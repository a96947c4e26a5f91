package dev.kymo.recorder;

import dev.kymo.format.ControlLayout;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The socket through which {@code kymo ctl} commands the recorder of this process: a Unix socket
 * beside its shared memory, which only the same user can reach. A connection carries one line; the
 * answer is all text until its end.
 */
final class ControlSocket implements AutoCloseable {
  private static final int LONGEST_LINE = 64 * 1024;

  private final ProcessRecorder recorder;
  private final ServerSocketChannel server;

  private ControlSocket(ProcessRecorder recorder, ServerSocketChannel server) {
    this.recorder = recorder;
    this.server = server;
  }

  static ControlSocket open(ProcessRecorder recorder, Path home) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(home.resolve(ControlLayout.SOCKET)));
      return new ControlSocket(recorder, server);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** Answers commands until the socket is closed. */
  void serve() {
    while (server.isOpen()) {
      try (SocketChannel client = server.accept()) {
        String line = line(client);
        String answer = RecorderCommands.execute(recorder, line, "kymo ctl");
        client.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)));
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        // this client is gone
      } catch (RuntimeException e) {
        recorder.fault("a command to the recorder failed", e);
        return;
      }
    }
  }

  private static String line(SocketChannel client) throws IOException {
    StringBuilder line = new StringBuilder();
    var in = Channels.newInputStream(client);
    for (int c = in.read(); c >= 0 && c != '\n' && line.length() < LONGEST_LINE; c = in.read()) {
      line.append((char) c);
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    UnixDomainSocketAddress address = (UnixDomainSocketAddress) server.getLocalAddress();
    server.close();
    Files.deleteIfExists(address.getPath());
  }
}
