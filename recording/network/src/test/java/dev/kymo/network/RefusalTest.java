package dev.kymo.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.network.listen.Identity;
import dev.kymo.network.listen.Limits;
import dev.kymo.network.listen.Receiver;
import dev.kymo.network.listen.Retention;
import dev.kymo.network.send.Destination;
import dev.kymo.network.send.Sender;
import dev.kymo.network.send.Space;
import dev.kymo.network.wire.FrameType;
import dev.kymo.network.wire.Hello;
import dev.kymo.network.wire.ReceiverLine;
import dev.kymo.network.wire.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may not send, and what senders may not do. */
@Tag("network")
class RefusalTest {
  private static final UUID ID = new UUID(1, 2);
  private static final long SIZE = 100_000;

  @TempDir Path folder;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private Path in;
  private Identity identity;
  private Receiver receiver;

  @BeforeEach
  void listen() throws Exception {
    in = Files.createDirectory(folder.resolve("in"));
    identity = Identity.in(folder.resolve("identity"));
    receiver =
        Receiver.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            in,
            identity,
            new Limits(10, Retention.of(SIZE), 0, false),
            log::add);
  }

  @AfterEach
  void end() throws IOException {
    receiver.close();
  }

  private RawSender raw() throws IOException {
    return new RawSender(receiver.port(), identity.token(), ID);
  }

  private List<String> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.map(file -> directory.relativize(file).toString()).sorted().toList();
    }
  }

  @Test
  void aWrongToken() throws Exception {
    try (RawSender raw = raw()) {
      assertThat(raw.hello(Secret.make(), "", "run")).isEqualTo(FrameType.REFUSED);
      assertThat(raw.why()).isEqualTo("token is wrong");
    }
    assertThat(files(in)).containsExactly("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../run", "/run", "..", ".hidden", "", "a/b", "a\u0000b"})
  void namesOfRecordingsThatLeadElsewhere(String name) throws Exception {
    try (RawSender raw = raw()) {
      assertThat(raw.hello(identity.token(), "", name)).isEqualTo(FrameType.REFUSED);
      assertThat(raw.why()).startsWith("not a name for a recording or session: name=");
    }
    assertThat(files(folder)).noneMatch(file -> file.contains("run") || file.contains("hidden"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"../p1-ring-1", "/tmp/x", "..", ".rings", ".received", "a/b", ""})
  void namesOfFilesThatLeadElsewhere(String name) throws Exception {
    try (RawSender raw = raw().welcome("run")) {
      raw.out.begin(FrameType.FILE).u32(1).text(name).end();
      assertThat(raw.refusal()).startsWith("not a name for a file: name=");
    }
    assertThat(files(in)).containsExactly("", "run.kymo", "run.kymo/.received", "run.kymo/.rings");
  }

  @Test
  void aLinkInItsDirectoryIsNotFollowed() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "keep");
    try (RawSender raw = raw().welcome("run")) {
      Files.createSymbolicLink(in.resolve("run.kymo").resolve("p1-ring-1"), secret);
      raw.out.begin(FrameType.FILE).u32(1).text("p1-ring-1").end();
      assertThat(raw.answers.next(1000)).isEqualTo(FrameType.REFUSED);
    }
    assertThat(secret).hasContent("keep");
  }

  @Test
  void moreThanARecordingMayHave() throws Exception {
    try (RawSender raw = raw().welcome("run")) {
      raw.out.begin(FrameType.FILE).u32(1).text("p1-ring-1").end();
      raw.out.begin(FrameType.LENGTH).u32(1).u64(SIZE + 1).end();
      assertThat(raw.refusal()).isEqualTo("recording is too large: most_bytes=100000");
    }
  }

  @Test
  void whatIsNoFrame() throws Exception {
    try (RawSender raw = raw()) {
      raw.socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      assertThat(raw.answers.next(1000)).isEqualTo(FrameType.REFUSED);
    }
    try (RawSender raw = raw().welcome("run")) {
      raw.out.begin(FrameType.WRITE).u32(3).u64(0).end();
      assertThat(raw.refusal()).isEqualTo("no such file: number=3");
    }
    try (RawSender raw = raw().welcome("run")) {
      raw.out.begin(FrameType.WELCOME).end();
      assertThat(raw.refusal()).isEqualTo("not a sender's frame: type=WELCOME");
    }
    try (RawSender raw = raw().welcome("run")) {
      raw.socket.getOutputStream().write(new byte[] {4, 127, 127, 127, 127});
      assertThat(raw.refusal()).isEqualTo("frame is too large: type=WRITE bytes=2139062143");
    }
  }

  @Test
  void whoSaysNothingIsEnded() throws Exception {
    try (RawSender raw = raw()) {
      assertThat(raw.socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void aReceiverWithAnotherKeyIsNotTrusted() throws Exception {
    Path own = Files.createDirectory(folder.resolve("own"));
    Files.writeString(own.resolve("metadata"), "text");
    String other = Identity.in(folder.resolve("other")).fingerprint();
    Destination to = new Destination("127.0.0.1", receiver.port(), identity.token(), other);
    Hello hello = new Hello(to.token(), ID, "", "run");
    List<String> said = new CopyOnWriteArrayList<>();
    try (Sender sender =
        Sender.start(new Sender.Source(own, hello, null, Space.KEPT, false), to, said::add)) {
      while (said.isEmpty()) {
        Thread.sleep(1);
      }
      assertThat(said.getFirst()).contains("it is not the receiver that was trusted");
      assertThat(sender.isConnected()).isFalse();
    }
    assertThat(files(in)).containsExactly("");
  }

  @Test
  void secretsThatOthersMayReadAreNotUsed() throws Exception {
    Path token = folder.resolve("identity/token");
    assertThat(Files.getPosixFilePermissions(token))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> Identity.in(folder.resolve("identity")))
        .hasMessageStartingWith("others may read a secret: file=" + token);
  }

  @Test
  void aReceiverIsFoundByItsLineOrOnThisMachine() throws Exception {
    Path trusted = folder.resolve("trusted");
    Path own = folder.resolve("identity");
    assertThatThrownBy(() -> Destination.of("far:1", trusted, own, false))
        .hasMessage(
            "nothing is known of this receiver: to=far:1; kymo listen prints a line, give that to kymo trust here");
    ReceiverLine line = new ReceiverLine("far", 1, identity.fingerprint(), identity.token());
    assertThat(ReceiverLine.of(" " + line + "\n")).isEqualTo(line);
    Destination.trust(line, trusted);
    assertThat(Destination.of("far:1", trusted, own, false))
        .isEqualTo(new Destination("far", 1, line.token(), line.fingerprint()));
    assertThat(Destination.of("localhost:5", trusted, own, false))
        .isEqualTo(new Destination("localhost", 5, identity.token(), identity.fingerprint()));
    assertThat(Destination.of("localhost:5", trusted, own, true).fingerprint()).isNull();
    Files.delete(own.resolve("fingerprint"));
    assertThatThrownBy(() -> Destination.of("localhost:5", trusted, own, false))
        .hasMessageContaining("start kymo listen anew");
  }

  /** Anybody can listen at the port of the user's own receiver when that has ended. */
  @Test
  void whoTakesTheReceiversPortDoesNotGetTheToken() throws Exception {
    Path spool = Files.createDirectory(folder.resolve("spool"));
    Files.writeString(spool.resolve("metadata"), "text");
    try (ServerSocket other = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      String address = "localhost:" + other.getLocalPort();
      Destination to = Destination.of(address, folder, folder.resolve("identity"), false);
      Hello hello = new Hello(to.token(), ID, "", "run");
      try (Sender sender =
              Sender.start(new Sender.Source(spool, hello, null, Space.KEPT, true), to, log::add);
          Socket stolen = other.accept()) {
        byte[] said = new byte[1000];
        int length = stolen.getInputStream().readNBytes(said, 0, 100);
        assertThat(new String(said, 0, length, StandardCharsets.ISO_8859_1))
            .startsWith("\u0016") // the begin of a handshake
            .doesNotContain(to.token());
        stolen.getOutputStream().write(new byte[1000]);
        assertThat(sender.isConnected()).isFalse();
      }
    }
    assertThat(spool.resolve("metadata")).hasContent("text");
  }

  /** Nor do they fill the log. */
  @Test
  void whoHasNoTokenKeepsNobodyOut() throws Exception {
    List<Socket> strangers = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        strangers.add(new Socket(InetAddress.getLoopbackAddress(), receiver.port()));
      }
      try (RawSender raw = raw()) {
        assertThat(raw.hello(identity.token(), "", "run")).isEqualTo(FrameType.WELCOME);
      }
    } finally {
      for (Socket stranger : strangers) {
        stranger.close();
      }
    }
    receiver.close();
    Pattern counted = Pattern.compile("closed (\\d+) more that did not say who they are; .*");
    long all =
        log.stream()
            .map(counted::matcher)
            .filter(Matcher::matches)
            .mapToLong(line -> Long.parseLong(line.group(1)))
            .sum();
    assertThat(all).as("%s", log).isGreaterThan(100);
    assertThat(log).hasSizeLessThan(60);
  }
}
