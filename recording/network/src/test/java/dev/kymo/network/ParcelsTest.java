package dev.kymo.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.network.listen.ReceivedParcels;
import dev.kymo.network.listen.Retention;
import dev.kymo.network.send.Link;
import dev.kymo.network.send.Parcels;
import dev.kymo.network.send.Route;
import dev.kymo.network.send.Sender;
import dev.kymo.network.send.Space;
import dev.kymo.network.wire.FrameWriter;
import dev.kymo.network.wire.Hello;
import dev.kymo.network.wire.ProtocolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings that go through a log of parcels, whatever fails, arrive as they were. */
class ParcelsTest {
  private static final int STEPS = 800;
  private static final long PATIENCE_MILLIS = 60_000;
  private static final long MOST = 1L << 30;

  @TempDir Path folder;

  /**
   * A log that keeps what it is given. Now and then it fails: then it has lost the last parcels, or
   * gets them later, when there is another conversation already.
   */
  private static final class Log implements Route {
    private final List<byte[]> parcels = new ArrayList<>();
    private final List<byte[]> late = new ArrayList<>();
    private final Random random;

    Log(Random random) {
      this.random = random;
    }

    @Override
    public String address() {
      return "log";
    }

    synchronized List<byte[]> parcels() {
      List<byte[]> all = new ArrayList<>(parcels);
      all.addAll(late);
      return all;
    }

    @Override
    public Link open(Hello hello, LongSupplier clock) throws IOException {
      return new OneLink(hello);
    }

    private final class OneLink implements Link, Parcels.Taker {
      private final FrameWriter out;
      private final List<byte[]> unanswered = new ArrayList<>();
      private int left = 20 + random.nextInt(60);
      private long marked;
      private long acknowledged;
      private boolean done;

      OneLink(Hello hello) throws IOException {
        String identity = UUID.randomUUID().toString();
        Hello own = new Hello(identity, hello.recording(), hello.session(), hello.name());
        Parcels cutter = new Parcels(own, this);
        out = new FrameWriter(cutter);
        synchronized (Log.this) {
          parcels.add(cutter.greeting());
          if (random.nextBoolean()) {
            parcels.addAll(late); // of an earlier conversation
            late.clear();
          }
        }
      }

      @Override
      public FrameWriter out() {
        return out;
      }

      @Override
      public void parcel(byte[] frames) throws IOException {
        unanswered.add(frames);
        if (--left == 0) {
          synchronized (Log.this) {
            int lost = random.nextInt(unanswered.size() + 1);
            parcels.addAll(unanswered.subList(0, lost));
            if (random.nextBoolean()) {
              late.addAll(unanswered.subList(lost, unanswered.size()));
            }
          }
          throw new IOException("the log is away");
        }
      }

      private void answer() {
        synchronized (Log.this) {
          parcels.addAll(unanswered);
        }
        unanswered.clear();
        acknowledged = marked;
      }

      @Override
      public void mark(long number) {
        marked = number;
      }

      @Override
      public void done() {
        answer();
        done = true;
      }

      @Override
      public long acknowledged() {
        if (random.nextInt(4) == 0) {
          answer();
        }
        return acknowledged;
      }

      @Override
      public boolean isDone() {
        return done;
      }

      @Override
      public void await(long millis) throws InterruptedException {
        Thread.sleep(1);
        answer();
      }

      @Override
      public void close() {}
    }
  }

  static Map<String, ByteBuffer> content(Path directory) throws IOException {
    Map<String, ByteBuffer> all = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "[!.]*")) {
      for (Path file : files) {
        all.put(file.getFileName().toString(), ByteBuffer.wrap(Files.readAllBytes(file)));
      }
    }
    return all;
  }

  /** Takes all parcels; now and then it is killed, and takes again what it had not put on disk. */
  private List<String> receive(List<byte[]> parcels, Path in, Random random) throws IOException {
    List<String> said = new ArrayList<>();
    int committed = 0;
    while (committed < parcels.size()) {
      try (ReceivedParcels received = ReceivedParcels.in(in, Retention.of(MOST), said::add)) {
        int at = committed;
        while (at < parcels.size() && random.nextInt(50) > 0) {
          received.take(parcels.get(at++));
          if (random.nextInt(8) == 0) {
            received.sync();
            committed = at;
          }
        }
        if (at == parcels.size()) {
          received.sync();
          committed = at;
        }
      }
    }
    return said;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whateverFailsItArrivesAsItWas(boolean spool) throws Exception {
    long first = System.nanoTime();
    for (long seed = first; seed < first + 4; seed++) {
      Random random = new Random(seed);
      Log log = new Log(random);
      Path own = folder.resolve("own-" + seed);
      Path shadow = folder.resolve("shadow-" + seed);
      GrowingRecording recording = new GrowingRecording(own, shadow, seed);
      Hello hello = new Hello("", recording.uuid, "nightly", "run");
      Space space = spool ? CutsTest.ZEROS : Space.KEPT;
      List<String> complaints = new CopyOnWriteArrayList<>();
      try (Sender sender =
          Sender.start(
              new Sender.Source(
                  own, hello, new Sender.Ticks(System::nanoTime, 1_000_000_000), space, spool),
              log,
              complaints::add)) {
        for (int i = 0; i < STEPS; i++) {
          recording.step();
          if (i % 20 == 0) {
            Thread.sleep(1);
          }
        }
        recording.finish();
        assertThat(sender.finish(PATIENCE_MILLIS)).as("seed %d %s", seed, complaints).isTrue();
      }
      Path in = Files.createDirectory(folder.resolve("in-" + seed));
      List<String> said = receive(log.parcels(), in, random);
      Path received = in.resolve("nightly/run.kymo");
      assertThat(content(received)).as("seed %d", seed).isEqualTo(content(shadow));
      assertThat(received.resolve(".rings")).as("seed %d", seed).doesNotExist();
      assertThat(said).contains("receiving " + received);
      assertThat(said).anyMatch(line -> line.startsWith("complete " + received + ": bytes="));
    }
  }

  @Test
  void whatIsNoParcelIsRefused() throws Exception {
    Path in = Files.createDirectory(folder.resolve("in"));
    try (ReceivedParcels received = ReceivedParcels.in(in, Retention.of(MOST), line -> {})) {
      assertThatThrownBy(() -> received.take(new byte[0])).isInstanceOf(IOException.class);
      assertThatThrownBy(
              () -> received.take("hello, world, how are you".getBytes(StandardCharsets.US_ASCII)))
          .isInstanceOf(ProtocolException.class);
      Hello evil = new Hello("id", UUID.randomUUID(), "../..", "run");
      assertThatThrownBy(() -> received.take(new Parcels(evil, new Nobody()).greeting()))
          .isInstanceOf(ProtocolException.class);
      List<byte[]> parcels = new ArrayList<>();
      Hello hello = new Hello("id", UUID.randomUUID(), "", "run");
      Parcels cutter =
          new Parcels(
              hello,
              new Nobody() {
                @Override
                public void parcel(byte[] frames) {
                  parcels.add(frames);
                }
              });
      new FrameWriter(cutter).begin(dev.kymo.network.wire.FrameType.PRESENT).u64(7).end();
      cutter.flush();
      assertThatThrownBy(() -> received.take(parcels.getFirst()))
          .isInstanceOf(ProtocolException.class)
          .hasMessage("the begin of this conversation has not come");
      received.take(cutter.greeting());
      received.take(parcels.getFirst());
    }
    assertThat(folder.resolve("in/run.kymo/.present")).hasSize(8);
  }

  private static class Nobody implements Parcels.Taker {
    @Override
    public void parcel(byte[] frames) {}

    @Override
    public void mark(long number) {}

    @Override
    public void done() {}
  }
}
