package dev.kymo.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.network.listen.PipedParcels;
import dev.kymo.network.listen.ReceivedParcels;
import dev.kymo.network.listen.Retention;
import dev.kymo.network.send.Pipe;
import dev.kymo.network.send.Sender;
import dev.kymo.network.send.Space;
import dev.kymo.network.wire.Hello;
import dev.kymo.network.wire.ProtocolException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings that somebody else carries from a standard output to a standard input. */
@Timeout(600)
class PipeTest {
  private static final int STEPS = 400;
  private static final long PATIENCE_MILLIS = 60_000;
  private static final long MOST = 1L << 30;

  @TempDir Path folder;

  private final List<String> said = new CopyOnWriteArrayList<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  private GrowingRecording begun(long seed) throws IOException {
    return new GrowingRecording(folder.resolve("own"), folder.resolve("shadow"), seed);
  }

  private GrowingRecording finished(long seed) throws IOException {
    GrowingRecording recording = begun(seed);
    for (int i = 0; i < STEPS; i++) {
      recording.step();
    }
    recording.finish();
    return recording;
  }

  private Sender.Source source(GrowingRecording recording, Space space) {
    Hello hello = new Hello("", recording.uuid, "nightly", "run");
    return new Sender.Source(folder.resolve("own"), hello, null, space, !space.equals(Space.KEPT));
  }

  private List<Path> receive(byte[] stream, Path in) throws IOException {
    try (ReceivedParcels parcels = ReceivedParcels.in(in, Retention.of(MOST), said::add)) {
      return PipedParcels.receive(new ByteArrayInputStream(stream), parcels);
    }
  }

  /** What goes into a pipe for a whole recording, and is kept beside it. */
  private byte[] stream() throws Exception {
    GrowingRecording recording = finished(1);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    Pipe pipe = new Pipe("-", Channels.newChannel(stream));
    try (Sender sender = Sender.start(source(recording, Space.KEPT), pipe, complaints::add)) {
      assertThat(sender.finish(PATIENCE_MILLIS)).isTrue();
    }
    return stream.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsWrittenArrivesWhileItIsMade(boolean spool) throws Exception {
    Path in = Files.createDirectory(folder.resolve("in"));
    GrowingRecording recording = begun(2);
    Space space = spool ? CutsTest.ZEROS : Space.KEPT;
    java.nio.channels.Pipe pipe = java.nio.channels.Pipe.open();
    CompletableFuture<List<Path>> incomplete = new CompletableFuture<>();
    Thread receiver =
        Thread.ofPlatform()
            .start(() -> {
              try (ReceivedParcels parcels =
                  ReceivedParcels.in(in, Retention.of(MOST), said::add)) {
                incomplete.complete(
                    PipedParcels.receive(Channels.newInputStream(pipe.source()), parcels));
              } catch (IOException e) {
                incomplete.completeExceptionally(e);
              }
            });
    try (Sender sender =
        Sender.start(source(recording, space), new Pipe("-", pipe.sink()), complaints::add)) {
      for (int i = 0; i < STEPS; i++) {
        recording.step();
        if (i == STEPS / 2) {
          while (!said.contains("receiving " + in.resolve("nightly/run.kymo"))) {
            Thread.sleep(1);
          }
        }
      }
      recording.finish();
      assertThat(sender.finish(PATIENCE_MILLIS)).as("%s", complaints).isTrue();
    }
    assertThat(incomplete.get()).isEmpty();
    receiver.join();
    assertThat(ParcelsTest.content(in.resolve("nightly/run.kymo")))
        .isEqualTo(ParcelsTest.content(folder.resolve("shadow")));
    assertThat(complaints).isEmpty();
  }

  /** A recorder removes what is too old, maybe just when its space is given back. */
  @Test
  void whatIsRemovedMeanwhileEndsNothing() throws Exception {
    GrowingRecording recording = finished(4);
    List<Path> removed = new ArrayList<>();
    Space late =
        (file, from, to) -> {
          Files.delete(file);
          removed.add(file);
          throw new NoSuchFileException(file.toString());
        };
    Pipe pipe = new Pipe("-", Channels.newChannel(new ByteArrayOutputStream()));
    try (Sender sender = Sender.start(source(recording, late), pipe, complaints::add)) {
      assertThat(sender.finish(PATIENCE_MILLIS)).as("%s", complaints).isTrue();
    }
    assertThat(removed).isNotEmpty();
    assertThat(complaints).isEmpty();
  }

  /** The pipe does not come again, but what is kept can be sent in another one. */
  @Test
  void whatNobodyReadsIsKept() throws Exception {
    GrowingRecording recording = finished(3);
    ByteArrayOutputStream taken = new ByteArrayOutputStream();
    WritableByteChannel broken =
        new WritableByteChannel() {
          @Override
          public int write(java.nio.ByteBuffer bytes) throws IOException {
            if (taken.size() > 100_000) {
              throw new IOException("Broken pipe");
            }
            byte[] some = new byte[Math.min(bytes.remaining(), 1000)];
            bytes.get(some);
            taken.write(some);
            return some.length;
          }

          @Override
          public boolean isOpen() {
            return true;
          }

          @Override
          public void close() {}
        };
    try (Sender sender =
        Sender.start(source(recording, Space.KEPT), new Pipe("-", broken), complaints::add)) {
      assertThat(sender.finish(PATIENCE_MILLIS)).isFalse();
    }
    assertThat(complaints).containsExactly("the receiver refuses: to=- why=\"Broken pipe\"");
    Path in = Files.createDirectory(folder.resolve("in"));
    assertThatThrownBy(() -> receive(taken.toByteArray(), in))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("it ends in the middle of a parcel");
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    try (Sender sender =
        Sender.start(
            source(recording, Space.KEPT),
            new Pipe("-", Channels.newChannel(again)),
            complaints::add)) {
      assertThat(sender.finish(PATIENCE_MILLIS)).isTrue();
    }
    assertThat(receive(again.toByteArray(), in)).isEmpty();
    assertThat(ParcelsTest.content(in.resolve("nightly/run.kymo")))
        .isEqualTo(ParcelsTest.content(folder.resolve("shadow")));
  }

  @Test
  void whoseEndDoesNotComeIsSaid() throws Exception {
    byte[] stream = stream();
    int length = java.nio.ByteBuffer.wrap(stream).getInt();
    int second = java.nio.ByteBuffer.wrap(stream).getInt(4 + length);
    Path in = Files.createDirectory(folder.resolve("in"));
    assertThat(receive(Arrays.copyOf(stream, 8 + length + second), in))
        .containsExactly(in.resolve("nightly/run.kymo"));
    assertThat(receive(new byte[0], in)).isEmpty();
  }

  /** Whoever writes such a stream is not trusted. */
  @Test
  void whatIsDamagedIsRefused() throws Exception {
    byte[] stream = stream();
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      byte[] damaged = stream.clone();
      for (int n = random.nextInt(4); n >= 0; n--) {
        damaged[random.nextInt(random.nextBoolean() ? 400 : damaged.length)] =
            (byte) random.nextInt();
      }
      Path in = Files.createDirectories(folder.resolve("deep/er/in-" + i));
      try {
        receive(Arrays.copyOf(damaged, random.nextInt(damaged.length + 1)), in);
      } catch (IOException e) {
        assertThat(e.getMessage()).as("seed %d", seed).isNotEmpty();
      }
    }
    assertThat(folder.resolve("deep")).isDirectoryContaining(path -> path.endsWith("er"));
    try (var files = Files.list(folder.resolve("deep/er"))) {
      assertThat(files.count()).isEqualTo(200);
    }
  }
}
