package dev.kymo.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.format.PacketLayout;
import dev.kymo.testkit.GrowingStream;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording that is revealed piece by piece gives what a reading of the whole gives. */
@Tag("stress")
class FollowerTest {
  private static final int PACKET = 512;
  private static final int EVENTS = 3000;

  @TempDir Path folder;

  private Path live;
  private FileChannel rings;

  @BeforeEach
  void lock() throws IOException {
    live = folder.resolve(System.nanoTime() + ".kymo");
    Files.createDirectory(live);
    rings =
        FileChannel.open(
            live.resolve(".rings"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    rings.lock();
  }

  @AfterEach
  void unlock() throws IOException {
    rings.close();
  }

  @Test
  void piecesGiveTheWhole() throws Exception {
    long seed = Long.getLong("kymo.seed", System.nanoTime());
    System.out.println("FollowerTest seed=" + seed);
    for (int i = 0; i < 12; i++) {
      unlock();
      lock();
      SplittableRandom random = new SplittableRandom(seed + i);
      follow(random, new MadeUp(random, PACKET, EVENTS, false), false);
    }
  }

  @Test
  void piecesGiveTheWholeInTheOrderOfTime() throws Exception {
    long seed = Long.getLong("kymo.seed", System.nanoTime());
    System.out.println("FollowerTest in time order seed=" + seed);
    for (int i = 0; i < 12; i++) {
      unlock();
      lock();
      SplittableRandom random = new SplittableRandom(seed + i);
      follow(random, new MadeUp(random, PACKET, EVENTS, random.nextBoolean()), true);
    }
  }

  @Test
  void aKilledRecorderIsNoticed() throws Exception {
    RecordingBuilder builder = new RecordingBuilder().process(1).thread(1, 1, "main");
    builder.method(1, 7, "a.B", "m").ring(1, 1, 1).enter(100, 7).leave(200, 7);
    builder.write(live);
    present(150);
    try (Recording recording = Recording.open(live)) {
      Heard heard = new Heard(recording);
      Follower follower = new Follower(recording, new Diagnostics());
      assertThat(follower.poll(heard)).isEqualTo(RecordingState.GROWING);
      rings.close();
      Thread.sleep(1_100);
      assertThat(follower.poll(heard)).isEqualTo(RecordingState.ABANDONED);
      builder.ring(1, 1, 1).enter(300, 7).leave(400, 7);
      builder.write(live);
      Files.delete(live.resolve(".rings"));
      assertThat(follower.poll(heard)).isEqualTo(RecordingState.COMPLETE);
      assertThat(follower.poll(heard)).isEqualTo(RecordingState.COMPLETE);
      assertThat(heard.events.get("1.1")).hasSize(4);
    }
  }

  @Test
  void aRecordingThatIsDeletedIsSaid() throws Exception {
    new RecordingBuilder().process(1).write(live);
    try (Recording recording = Recording.open(live)) {
      Follower follower = new Follower(recording, new Diagnostics());
      follower.poll(new Heard(recording));
      try (var files = Files.list(live)) {
        for (Path file : (Iterable<Path>) files::iterator) {
          Files.delete(file);
        }
      }
      Files.delete(live);
      assertThatThrownBy(() -> follower.poll(new Heard(recording)))
          .isInstanceOf(RecordingException.class)
          .hasMessage("recording is gone: path=" + live);
    }
  }

  @Test
  void aPacketThatIsBeingWrittenIsNoDamage() throws Exception {
    RecordingBuilder builder = new RecordingBuilder().process(1).thread(1, 1, "main");
    builder.method(1, 7, "a.B", "m").ring(1, 1, 1).enter(100, 7).leave(200, 7).close();
    builder.write(live);
    Path ring = live.resolve("p1-ring-1");
    byte[] whole = Files.readAllBytes(ring);
    for (int part : new int[] {40, whole.length - 8}) {
      Files.write(ring, whole);
      Files.write(ring, Arrays.copyOf(whole, part), StandardOpenOption.APPEND);
      assertThat(readOnce()).isZero();
    }
    Files.delete(live.resolve(".rings"));
    assertThat(readOnce()).isEqualTo(1);
  }

  /** The later state is in its stream before the earlier one is in another. */
  @Test
  void statesComeInTheirOrder() throws Exception {
    RecordingBuilder builder = new RecordingBuilder().process(1).jvm(1, 2, "GC");
    builder.method(1, 7, "", "pause").ring(1, 1, 2).enter(300, 7).leave(400, 7);
    builder.write(live);
    present(1000, 50);
    try (Recording recording = Recording.open(live)) {
      Heard heard = new Heard(recording);
      Diagnostics diagnostics = new Diagnostics();
      Follower follower = new Follower(recording, diagnostics);
      follower.poll(heard);
      assertThat(heard.events).isEmpty();
      builder.ring(1, 2, 2).enter(100, 7).leave(200, 7);
      builder.write(live);
      present(1100, 500);
      follower.poll(heard);
      assertThat(heard.events.get("1.2")).hasSize(4);
      Files.delete(live.resolve(".rings"));
      follower.poll(heard);
      Heard whole = new Heard(recording);
      SegmentMerge.run(recording.openThreads(diagnostics), whole, done -> {});
      assertThat(heard.events).isEqualTo(whole.events);
      assertThat(diagnostics.texts()).isEmpty();
    }
  }

  /** Returns the number of cut packets. */
  private long readOnce() throws Exception {
    Diagnostics diagnostics = new Diagnostics();
    try (Recording recording = Recording.open(live)) {
      SegmentMerge.run(recording.openThreads(diagnostics), new Heard(recording), done -> {});
    }
    return diagnostics.count(Oddity.CUT_PACKET);
  }

  @Test
  void whatIsStillDamagedInTheEndIsSaid() throws Exception {
    RecordingBuilder builder = new RecordingBuilder().process(1).thread(1, 1, "main");
    builder.method(1, 7, "a.B", "m").ring(1, 1, 1).enter(100, 7).close();
    builder.write(live);
    Files.write(live.resolve("p1-ring-1"), new byte[40], StandardOpenOption.APPEND);
    present(500);
    Diagnostics diagnostics = new Diagnostics();
    try (Recording recording = Recording.open(live)) {
      Follower follower = new Follower(recording, diagnostics);
      follower.poll(new Heard(recording));
      assertThat(diagnostics.total()).isZero();
      Files.delete(live.resolve(".rings"));
      follower.poll(new Heard(recording));
      assertThat(diagnostics.count(Oddity.CUT_PACKET)).isEqualTo(1);
    }
  }

  private void follow(SplittableRandom random, MadeUp made, boolean inTimeOrder) throws Exception {
    Path whole = made.builder.write(folder.resolve("whole" + random.nextInt(1 << 30)));
    Map<String, GrowingStream> streams = new TreeMap<>();
    try (var files = Files.list(whole)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (name.contains("-ring-")) {
          byte[] bytes = Files.readAllBytes(file);
          streams.put(name, new GrowingStream(live.resolve(name), bytes, PACKET, random));
        } else if (!name.equals("p1-definitions")) {
          Files.copy(file, live.resolve(name));
        }
      }
    }
    byte[] definitions = Files.readAllBytes(whole.resolve("p1-definitions"));
    Diagnostics diagnostics = new Diagnostics();
    Heard heard;
    OptionalLong first;
    try (Recording recording = Recording.open(live)) {
      heard = new Heard(recording);
      Follower follower =
          inTimeOrder
              ? Follower.inTimeOrder(recording, diagnostics, 0)
              : new Follower(recording, diagnostics);
      long furthest = made.begin;
      for (int i = 0; i < EVENTS; i += 1 + random.nextInt(EVENTS / 10)) {
        long clock = made.clocks.get(i);
        int ahead = Math.min(i + random.nextInt(EVENTS / 5), EVENTS - 1);
        furthest = Math.max(furthest, made.clocks.get(ahead));
        write(definitions, bytesUpTo(definitions, furthest), random);
        for (GrowingStream stream : streams.values()) {
          stream.show(random.nextBoolean() ? clock : random.nextLong(clock, furthest + 1));
        }
        present(clock);
        assertThat(follower.poll(heard)).isEqualTo(RecordingState.GROWING);
        assertThat(heard.countUpTo(inTimeOrder ? Long.MAX_VALUE : clock))
            .isEqualTo(made.countUpTo(clock));
      }
      write(definitions, definitions.length, random);
      for (GrowingStream stream : streams.values()) {
        stream.showAll();
      }
      Files.delete(live.resolve(".rings"));
      assertThat(follower.poll(heard)).isEqualTo(RecordingState.COMPLETE);
      heard.assertPartsCanBeReadAgain();
      first = OptionalLong.of(follower.first());
    }
    assertThat(diagnostics.texts()).isEmpty();
    assertGivesTheWhole(heard, first, inTimeOrder);
  }

  private void assertGivesTheWhole(Heard heard, OptionalLong first, boolean inTimeOrder)
      throws Exception {
    Heard expected;
    try (Recording recording = Recording.open(live)) {
      expected = new Heard(recording);
      Diagnostics none = new Diagnostics();
      List<ThreadStream> all = recording.openThreads(none);
      if (inTimeOrder) {
        assertThat(first).isEqualTo(all.stream().mapToLong(ThreadStream::clock).min());
        TimeMerge.run(all, expected);
        assertThat(heard.inOrder).isEqualTo(expected.inOrder);
      } else {
        SegmentMerge.run(all, expected, done -> {});
      }
      assertThat(none.texts()).isEmpty();
    }
    assertThat(heard.events).isEqualTo(expected.events);
    assertThat(heard.gaps).isEqualTo(expected.gaps).isNotEmpty();
    assertThat(heard.starts).isEqualTo(expected.starts);
    assertThat(heard.undefined).isEmpty();
  }

  /** Bytes of the packets of definitions that begin up to a clock. */
  private static int bytesUpTo(byte[] definitions, long clock) {
    ByteBuffer bytes = ByteBuffer.wrap(definitions).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (at < definitions.length && bytes.getLong(at + PacketLayout.BEGIN_OFFSET) <= clock) {
      at += (int) (bytes.getLong(at + PacketLayout.PACKET_SIZE_OFFSET) / 8);
    }
    return at;
  }

  private void write(byte[] definitions, int count, SplittableRandom random) throws IOException {
    int more = random.nextInt(Math.min(60, definitions.length - count + 1));
    Files.write(live.resolve("p1-definitions"), Arrays.copyOf(definitions, count + more));
  }

  /** Clocks: of all events, then of each process's states. */
  private void present(long... clocks) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(8 * clocks.length).order(ByteOrder.LITTLE_ENDIAN);
    for (long clock : clocks) {
      bytes.putLong(clock);
    }
    Files.write(live.resolve(".present"), bytes.array());
  }
}
