package dev.kymo.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.network.listen.Identity;
import dev.kymo.network.listen.Limits;
import dev.kymo.network.listen.Receiver;
import dev.kymo.network.listen.Retention;
import dev.kymo.network.send.Destination;
import dev.kymo.network.send.Sender;
import dev.kymo.network.send.Space;
import dev.kymo.network.wire.Hello;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens between them, the receiver gets each byte that the sender had. */
@Tag("network")
class CutsTest {
  private static final int SENDERS = 50;
  private static final int CUTS = 4;
  private static final int STEPS = 1200;
  private static final long PATIENCE_MILLIS = 60_000;
  private static final Limits LIMITS = new Limits(1000, Retention.of(1L << 30), 0, false);

  @TempDir Path folder;

  /** What was sent reads as zeros then, as after punching a hole. */
  static final Space ZEROS =
      (file, from, to) -> {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.write(ByteBuffer.allocate((int) (to - from)), from);
        }
      };

  private Receiver receiver(Path to, int port, List<String> log) throws Exception {
    return Receiver.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        to,
        Identity.in(folder.resolve("identity")),
        LIMITS,
        line -> {
          synchronized (log) {
            log.add(line);
          }
        });
  }

  private Destination destination(int port, boolean encrypted) throws Exception {
    Identity identity = Identity.in(folder.resolve("identity"));
    return new Destination(
        "127.0.0.1", port, identity.token(), encrypted ? identity.fingerprint() : null);
  }

  /** Sends a recording while it grows; returns its directory that is whole. */
  private Path send(long seed, Destination to, boolean spool) throws Exception {
    Path own = folder.resolve("own-" + seed);
    Path shadow = folder.resolve("shadow-" + seed);
    GrowingRecording recording = new GrowingRecording(own, shadow, seed);
    Hello hello = new Hello(to.token(), recording.uuid, "nightly", "run-" + seed);
    Sender.Ticks clock = new Sender.Ticks(System::nanoTime, 1_000_000_000);
    Space space = spool ? ZEROS : Space.KEPT;
    List<String> said = new CopyOnWriteArrayList<>();
    try (Sender sender =
        Sender.start(new Sender.Source(own, hello, clock, space, spool), to, said::add)) {
      for (int i = 0; i < STEPS; i++) {
        recording.step();
        if (i % 20 == 0) {
          Thread.sleep(1);
        }
      }
      recording.finish();
      assertThat(sender.finish(PATIENCE_MILLIS)).as("seed %d %s".formatted(seed, said)).isTrue();
    }
    return shadow;
  }

  /** The visible files of a directory, with what is in them. */
  private static Map<String, ByteBuffer> content(Path directory) throws IOException {
    Map<String, ByteBuffer> all = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "[!.]*")) {
      for (Path file : files) {
        all.put(file.getFileName().toString(), ByteBuffer.wrap(Files.readAllBytes(file)));
      }
    }
    return all;
  }

  private void assertReceived(Path in, long seed, Path whole) throws IOException {
    Path received = in.resolve("nightly").resolve("run-" + seed + ".kymo");
    Map<String, ByteBuffer> sent = content(whole);
    assertThat(content(received).keySet()).as("seed " + seed).isEqualTo(sent.keySet());
    content(received)
        .forEach((name, bytes) ->
            assertThat(bytes.equals(sent.get(name)))
                .as("seed %d file %s".formatted(seed, name))
                .isTrue());
    assertThat(received.resolve(".rings")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void fiftySendersOverABadNetworkAndAReceiverThatBeginsAnew(boolean spool) throws Exception {
    Path in = Files.createDirectory(folder.resolve("in"));
    List<String> log = new ArrayList<>();
    Receiver receiver = receiver(in, 0, log);
    int port = receiver.port();
    InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    List<CuttingProxy> proxies = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(SENDERS)) {
      List<Future<Path>> sending = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        CuttingProxy proxy = new CuttingProxy(at, i, CUTS);
        proxies.add(proxy);
        long seed = i;
        boolean encrypted = i % 2 == 0;
        Callable<Path> task = () -> send(seed, destination(proxy.port(), encrypted), spool);
        sending.add(threads.submit(task));
      }
      for (int i = 0; i < 3; i++) {
        Thread.sleep(300);
        receiver.close();
        receiver = receiver(in, port, log);
      }
      for (int i = 0; i < SENDERS; i++) {
        assertReceived(in, i, sending.get(i).get());
      }
      assertThat(proxies.stream().mapToInt(CuttingProxy::cutsLeft).sum())
          .as("cuts made, of %d", CUTS * SENDERS)
          .isLessThan(CUTS * SENDERS);
    } finally {
      for (CuttingProxy proxy : proxies) {
        proxy.close();
      }
      receiver.close();
    }
  }

  /** A slow receiver is heard while there is much to send: its answers give the space back. */
  @Test
  void spaceIsGivenBackWhileMuchIsLeftToSend() throws Exception {
    Path in = Files.createDirectory(folder.resolve("in"));
    Limits slow = new Limits(10, Retention.of(1L << 30), 4 << 20, false);
    Path own = folder.resolve("own");
    GrowingRecording recording = new GrowingRecording(own, folder.resolve("shadow"), 3);
    recording.growOne(20 << 20);
    recording.finish();
    List<Long> freed = new CopyOnWriteArrayList<>();
    Space space = (file, from, to) -> freed.add(to);
    try (Receiver receiver =
        Receiver.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            in,
            Identity.in(folder.resolve("identity")),
            slow,
            line -> {})) {
      Destination to = destination(receiver.port(), false);
      Hello hello = new Hello(to.token(), recording.uuid, "nightly", "run-3");
      try (Sender sender =
          Sender.start(new Sender.Source(own, hello, null, space, true), to, line -> {})) {
        assertThat(sender.finish(PATIENCE_MILLIS)).isTrue();
      }
      assertThat(freed.getFirst()).isLessThan(15 << 20);
      assertReceived(in, 3, folder.resolve("shadow"));
    }
  }

  @Test
  void aSenderThatBeginsAnewGoesOnWhereTheOtherWas() throws Exception {
    Path in = Files.createDirectory(folder.resolve("in"));
    List<String> log = new ArrayList<>();
    try (Receiver receiver = receiver(in, 0, log)) {
      Destination to = destination(receiver.port(), true);
      Path own = folder.resolve("own");
      GrowingRecording recording = new GrowingRecording(own, folder.resolve("shadow"), 7);
      Hello hello = new Hello(to.token(), recording.uuid, "nightly", "run-7");
      Sender.Source source = new Sender.Source(own, hello, null, ZEROS, true);
      try (Sender sender = Sender.start(source, to, line -> {})) {
        while (sender.acknowledgedBytes() == 0) {
          recording.step();
          Thread.sleep(1);
        }
      }
      for (int i = 0; i < STEPS; i++) {
        recording.step();
      }
      recording.finish();
      try (Sender sender = Sender.start(source, to, log::add)) {
        assertThat(sender.finish(PATIENCE_MILLIS)).as(() -> String.join("\n", log)).isTrue();
      }
      assertReceived(in, 7, folder.resolve("shadow"));
    }
  }
}
