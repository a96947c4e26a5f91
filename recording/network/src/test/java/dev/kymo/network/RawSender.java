package dev.kymo.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.network.wire.FrameReader;
import dev.kymo.network.wire.FrameType;
import dev.kymo.network.wire.FrameWriter;
import dev.kymo.network.wire.Hello;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.UUID;

/** A connection without a sender, to say what senders do not. */
final class RawSender implements AutoCloseable {
  final Socket socket;
  final FrameWriter out;
  final FrameReader answers;
  private final String token;
  private final UUID recording;

  RawSender(int port, String token, UUID recording) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    this.out = new FrameWriter(socket.getOutputStream());
    this.answers = new FrameReader(socket.getInputStream());
    this.token = token;
    this.recording = recording;
  }

  /** Says hello; what the receiver answers. */
  FrameType hello(String secret, String session, String name) throws IOException {
    new Hello(secret, recording, session, name).write(out);
    return answers.next(1000);
  }

  RawSender welcome(String name) throws IOException {
    assertThat(hello(token, "", name)).isEqualTo(FrameType.WELCOME);
    return this;
  }

  /** Why it is refused. */
  String refusal() throws IOException {
    assertThat(answers.next(1000)).isEqualTo(FrameType.REFUSED);
    return why();
  }

  String why() throws IOException {
    int _ = answers.u16();
    return answers.text();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
