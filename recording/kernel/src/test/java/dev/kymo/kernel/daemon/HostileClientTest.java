package dev.kymo.kernel.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever a client does, the others are served. */
@Tag("kernel")
@Tag("daemon")
class HostileClientTest {
  @BeforeAll
  static void needsTracefs() {
    Daemons.tracefs("HostileClientTest");
  }

  private static SocketChannel connect(Daemons.Served daemon) throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(daemon.socket));
  }

  /** All that comes until the other end closes. */
  private static ByteBuffer rest(SocketChannel channel) {
    ByteBuffer bytes = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
    try {
      int count = 0;
      while (count >= 0) {
        count = channel.read(bytes);
      }
    } catch (IOException e) {
      return bytes.flip(); // closed before it had read all of ours
    }
    return bytes.flip();
  }

  private static String reason(ByteBuffer answer) throws IOException {
    answer.getInt();
    assertThat(answer.get() & 0xFF).isEqualTo(Frames.FAILED);
    answer.get();
    return Frames.text(answer);
  }

  private static void stillServes(Daemons.Served daemon) throws IOException {
    assertThat(DaemonSource.status(daemon.socket)).startsWith("kymo daemon test");
  }

  @Test
  void fullDaemonRefuses() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(2)) {
      try (DaemonSource one = daemon.source("cswitch");
          DaemonSource _ = daemon.source("cswitch")) {
        assertThatThrownBy(() -> daemon.source("cswitch"))
            .hasMessage(
                "the daemon for kernel events refuses HELLO: the daemon is full: clients=2;"
                    + " try again later, or start it with more --clients");
        one.start();
        assertThat(Daemons.isOn("sched:sched_switch")).isTrue();
      }
      Daemons.until(
          "there is room again",
          () -> {
            try {
              stillServes(daemon);
              return true;
            } catch (IOException e) {
              return false;
            }
          });
    }
  }

  /** Users may fill the daemon together; root gets in. */
  @Test
  void rootGetsInThoughUsersHaveFilledIt() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(16)) {
      List<Process> users = new ArrayList<>();
      int refused = 0;
      try {
        for (int i = 0; i < 16; i++) {
          Process user =
              Daemons.run(50_001 + i / 6, ClientProgram.class, daemon.socket.toString(), "cswitch");
          users.add(user);
          String said = user.inputReader().readLine();
          refused += "started".equals(said) ? 0 : 1;
        }
        assertThat(refused).isEqualTo(2);
        stillServes(daemon);
      } finally {
        for (Process user : users) {
          user.destroyForcibly().waitFor();
        }
      }
    }
  }

  @Test
  void tenThousandConnections() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(64);
        DaemonSource source = daemon.source("cswitch")) {
      source.start();
      List<SocketChannel> held = new ArrayList<>();
      int refused = 0;
      for (int i = 0; i < 10_000; i++) {
        SocketChannel channel = connect(daemon);
        if (held.size() < 200) {
          held.add(channel);
        } else {
          channel.close();
        }
      }
      for (SocketChannel channel : held) {
        channel.configureBlocking(false);
        refused += channel.read(ByteBuffer.allocate(1000)) != 0 ? 1 : 0;
        channel.close();
      }
      assertThat(refused).isEqualTo(200 - 63);
      source.finish(new Nowhere());
      assertThat(daemon.log).isEmpty();
    }
  }

  @Test
  void garbageIsAnsweredAndTheClientLetGo() throws Exception {
    long seed = System.nanoTime();
    System.out.println("HostileClientTest seed " + seed);
    Random random = new Random(seed);
    try (Daemons.Served daemon = new Daemons.Served(64);
        DaemonSource source = daemon.source("cswitch")) {
      source.start();
      for (int i = 0; i < 200; i++) {
        byte[] garbage = new byte[1 + random.nextInt(2000)];
        random.nextBytes(garbage);
        try (SocketChannel channel = connect(daemon)) {
          write(channel, ByteBuffer.wrap(garbage));
          channel.shutdownOutput();
          rest(channel);
        }
      }
      stillServes(daemon);
      assertThat(source.round(new Nowhere())).isGreaterThan(0);
      assertThat(daemon.log).isEmpty();
    }
  }

  private static void write(SocketChannel channel, ByteBuffer bytes) {
    try {
      channel.write(bytes);
    } catch (IOException e) {
      return; // let go already
    }
  }

  @Test
  void garbageBehindHello() throws Exception {
    long seed = System.nanoTime();
    System.out.println("HostileClientTest seed " + seed);
    Random random = new Random(seed);
    try (Daemons.Served daemon = new Daemons.Served(64)) {
      for (int i = 0; i < 300; i++) {
        try (SocketChannel channel = connect(daemon)) {
          write(channel, hello());
          byte[] body = new byte[random.nextInt(100)];
          random.nextBytes(body);
          ByteBuffer frame = ByteBuffer.allocate(5 + body.length).order(ByteOrder.LITTLE_ENDIAN);
          frame.putInt(1 + body.length).put((byte) random.nextInt(12)).put(body).flip();
          write(channel, frame);
          channel.shutdownOutput();
          rest(channel);
        }
      }
      stillServes(daemon);
      assertThat(daemon.log).isEmpty();
    }
  }

  private static ByteBuffer hello() {
    return new Frames.Builder(Frames.HELLO).u32(Frames.MAGIC).u16(Frames.VERSION).frame();
  }

  @Test
  void lengthsAreNotBelieved() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8);
        SocketChannel huge = connect(daemon);
        SocketChannel negative = connect(daemon);
        SocketChannel text = connect(daemon)) {
      write(huge, ByteBuffer.wrap(new byte[] {-1, -1, -1, 0x7F, 1}));
      assertThat(reason(rest(huge)))
          .isEqualTo("length of a message cannot be true: bytes=2147483647 largest=65536");
      write(negative, ByteBuffer.wrap(new byte[] {-1, -1, -1, -1, 1}));
      assertThat(reason(rest(negative)))
          .isEqualTo("length of a message cannot be true: bytes=4294967295 largest=65536");
      write(text, hello());
      write(text, new Frames.Builder(Frames.START).u16(60_000).u16(0).frame());
      ByteBuffer answers = rest(text);
      answers.position(4 + answers.getInt(0));
      assertThat(reason(answers)).isEqualTo("message is cut off: bytes=2 needed=60000");
    }
  }

  @Test
  void requestsOutOfOrderAreRefused() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8);
        SocketChannel rude = connect(daemon);
        SocketChannel old = connect(daemon);
        SocketChannel hasty = connect(daemon)) {
      write(rude, new Frames.Builder(Frames.STATUS).frame());
      assertThat(reason(rest(rude))).isEqualTo("HELLO comes first: request=6");
      write(old, new Frames.Builder(Frames.HELLO).u32(Frames.MAGIC).u16(99).frame());
      assertThat(reason(rest(old)))
          .isEqualTo(
              "the daemon speaks another version: daemon=1 client=99; use the same Kymo for both");
      write(hasty, hello());
      write(hasty, new Frames.Builder(Frames.START).text("cswitch").frame());
      hasty.shutdownOutput();
      ByteBuffer answers = rest(hasty);
      answers.position(4 + answers.getInt(0));
      assertThat(reason(answers)).isEqualTo("REGISTER comes first");
    }
  }

  @Test
  void cutFramesAreForgotten() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(64)) {
      ByteBuffer whole = hello();
      for (int length = 0; length < whole.limit(); length++) {
        try (SocketChannel channel = connect(daemon)) {
          write(channel, whole.duplicate().limit(length));
        }
      }
      stillServes(daemon);
    }
  }

  @Test
  void whoAsksWithoutEndAndNeverReadsIsLetGo() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8);
        SocketChannel channel = connect(daemon)) {
      write(channel, hello());
      ByteBuffer status = new Frames.Builder(Frames.STATUS).frame();
      assertThatThrownBy(
              () -> {
                while (true) {
                  channel.write(status.rewind());
                }
              })
          .isInstanceOf(IOException.class);
      stillServes(daemon);
    }
  }

  /** A client that never reads gets no more than a bounded part, and is let go. */
  @Test
  void whoDoesNotReadIsLetGo() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8);
        SocketChannel deaf = connect(daemon);
        DaemonSource source = daemon.source("cswitch")) {
      write(deaf, hello());
      String services = "cswitch,ipc";
      write(
          deaf,
          new Frames.Builder(Frames.REGISTER).text("monotonic").u32(8192).text(services).frame());
      write(deaf, new Frames.Builder(Frames.START).text(services).frame());
      source.start();
      Process noise = new ProcessBuilder("sh", "-c", "while :; do :| : ; done").start();
      try {
        long events = 0;
        Nowhere sink = new Nowhere();
        while (daemon.log.isEmpty()) {
          events += source.round(sink);
        }
        assertThat(events).isGreaterThan(100);
      } finally {
        noise.destroyForcibly().waitFor();
      }
      assertThat(daemon.log.peek())
          .startsWith("client=1 uid=0 is let go: it does not read, waiting_bytes=");
      Daemons.until("what it alone needed is off", () -> !isOn("sched:sched_waking"));
    }
  }

  /** What there is no room for is counted, and the next event says so. */
  @Test
  void whatASlowClientMissesIsCounted() throws Exception {
    // Little may wait, so that it is too much long before a client is let go that does not read.
    try (Daemons.Served daemon = new Daemons.Served(Daemons.folder(), 8, 4 << 20);
        DaemonSource slow = daemon.source("ipc");
        DaemonSource quick = daemon.source("ipc")) {
      quick.start();
      slow.start();
      Nowhere all = new Nowhere();
      all.begin = System.nanoTime();
      Process noise =
          new ProcessBuilder("dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=200000")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      while (noise.isAlive()) {
        quick.round(all);
      }
      Nowhere part = new Nowhere();
      slow.finish(part);
      all.end = System.nanoTime();
      quick.finish(all);
      long happened = all.events + all.lost; // on a busy machine the quick one is slow, too
      assertThat(happened).isGreaterThan(400_000);
      assertThat(part.lost).isGreaterThan(100_000);
      // Others' events come before the slow one has started, and after it has ended.
      assertThat(part.events + part.lost).isBetween(happened - all.outside - 20_000, happened);
      assertThat(daemon.log).isEmpty();
    }
  }

  private static boolean isOn(String event) {
    try {
      return Daemons.isOn(event);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Only counts events, and how many of them are outside a time. */
  private static final class Nowhere implements dev.kymo.kernel.KernelSink {
    private long begin = Long.MIN_VALUE;
    private long end = Long.MAX_VALUE;
    private long events;
    private long outside;
    private long lost;

    @Override
    public void event(int cpu, long clock, int event, byte[] bytes, int offset, int size) {
      events++;
      if (clock < begin || clock > end) {
        outside++;
      }
    }

    @Override
    public void lost(int cpu, long from, long to, long count) {
      lost += count;
    }

    @Override
    public void upTo(long clock) {}
  }
}
