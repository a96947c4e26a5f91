package dev.kymo.importers.barrelfish;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.importers.target.Converted;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A bfscope is followed over a real connection, with the bytes of real logs. */
@Timeout(600)
class LiveLogTest {
  private static final long GIGAHERTZ = 1_000_000_000L;

  @TempDir Path folder;
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  private LiveLog follow(FakeBfscope bfscope, Path directory) throws IOException {
    return LiveLog.follow(bfscope.address(), directory, GIGAHERTZ, null, 1, complaints::add);
  }

  /** Digits, a NUL, and what was in memory. */
  private static byte[] header(int size) {
    byte[] header = "\1# \n9\0\0S".getBytes(ISO_8859_1);
    byte[] digits = (size + "\0").getBytes(ISO_8859_1);
    System.arraycopy(digits, 0, header, 0, digits.length);
    return header;
  }

  private static byte[] digits(String format, int size) {
    return format.formatted(size).getBytes(ISO_8859_1);
  }

  private static byte[] text(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static long own(Timeline timeline) {
    return timeline.tracks().stream().mapToLong(Track::own).sum();
  }

  @Test
  void growsByEachDump() throws Exception {
    byte[] dump = Samples.bytes("npc_1_1_0_8.0.log");
    byte[] later = text("# Core 0 LOG DUMP ===\n0 70000 bbbb\n0 70010 ffffcccc00000000\n");
    Map<String, Long> expected = Samples.expected("npc_1_1_0_8.0.log");
    Path live = folder.resolve("live.kymo");
    Files.createDirectory(live);
    try (FakeBfscope bfscope = new FakeBfscope(false);
        LiveLog log = follow(bfscope, live);
        Timeline timeline = Timelines.follow(live, ProgressListener.NONE)) {
      assertThat(timeline.growing()).isTrue();
      bfscope.send(header(dump.length), dump);
      awaitEvents(timeline, expected.getOrDefault("events", 0L));
      assertThat(timeline.growing()).isTrue();
      bfscope.send(header(later.length), later);
      awaitEvents(timeline, expected.getOrDefault("events", 0L) + 2);
      assertThat(complaints).isEmpty();
      assertThat(log.isGrowing()).isTrue();
      log.close();
      while (timeline.growing()) {
        Thread.sleep(5);
      }
      Converted grown = Converted.of(timeline, List.of());
      Converted read = Converted.read(live);
      assertThat(read.oddities()).isEmpty();
      assertThat(read.events()).hasSize(expected.getOrDefault("events", 0L).intValue() + 2);
      assertThat(read.messages()).isEqualTo(28);
      assertThat(grown.events()).containsExactlyInAnyOrderElementsOf(read.events());
      assertThat(grown.calls()).containsExactlyInAnyOrderElementsOf(read.calls());
      assertThat(grown.messages()).isEqualTo(28);
    }
    assertThat(complaints).isEmpty();
    assertThat(live.resolve(".rings")).doesNotExist();
    assertThat(live.resolve(".present")).doesNotExist();
  }

  private static void awaitEvents(Timeline timeline, long count) throws InterruptedException {
    while (own(timeline) < count) {
      Thread.sleep(5);
    }
    assertThat(own(timeline)).isEqualTo(count);
  }

  private Converted untilTheEnd(FakeBfscope bfscope) throws Exception {
    bfscope.end();
    Path live = Files.createTempDirectory(folder, "live");
    try (LiveLog log = follow(bfscope, live)) {
      while (log.isGrowing()) {
        Thread.sleep(5);
      }
    }
    return Converted.read(live);
  }

  @Test
  void aDumpOfSevenDigitsHasNoRoomForMoreThanOneNul() throws Exception {
    byte[] dump = new byte[1_234_567];
    Arrays.fill(dump, (byte) '\n');
    byte[] line = text("0 5 bbbb\n");
    System.arraycopy(line, 0, dump, dump.length - line.length, line.length);
    try (FakeBfscope bfscope = new FakeBfscope(false)) {
      bfscope.send(text("1234567\0"), dump);
      assertThat(untilTheEnd(bfscope).events()).hasSize(1);
    }
    assertThat(complaints)
        .singleElement()
        .asString()
        .startsWith("the bfscope has ended the connection: host=127.0.0.1 port=");
  }

  @Test
  void aDumpThatIsCutKeepsItsWholeLines() throws Exception {
    byte[] dump = text("# Core 0 LOG DUMP ===\n0 5 bbbb\n0 9 ffffcccc00000000\n0 12 ffffcc");
    try (FakeBfscope bfscope = new FakeBfscope(false)) {
      bfscope.send(header(5000), dump);
      Converted found = untilTheEnd(bfscope);
      assertThat(found.events()).hasSize(2);
      String said =
          "the connection to the bfscope ended within a dump: size=5000 received=" + dump.length;
      assertThat(complaints).containsExactly(said);
      assertThat(found.notices()).containsExactly(said);
    }
  }

  @Test
  void theFirstProtocolIsAskedForEachDump() throws Exception {
    byte[] first = Samples.bytes("atrace.trc");
    byte[] second = text("# Start 45264000000 Duration 0 Stop 1\n0 3 bbbb\n");
    byte[] third = text("# Start 45364000000 Duration 0 Stop 1\n0 4 aaaa\n");
    try (FakeBfscope bfscope = new FakeBfscope(true)) {
      bfscope.send(digits("%06d", first.length), first);
      bfscope.send(digits("%-6d", second.length), second);
      bfscope.send(text("000000"));
      bfscope.send(text("00000000"));
      bfscope.send(digits("%08d", third.length), third);
      Converted found = untilTheEnd(bfscope);
      assertThat(bfscope.heard()).startsWith("trace\n".repeat(5));
      assertThat(found.events()).hasSize(352);
      assertThat(found.events())
          .contains(
              "core 0: 100414635 marker.blocked word=48059",
              "core 0: 200414636 marker.running word=43690");
      assertThat(found.oddities()).isEmpty();
      assertThat(found.notices()).isEmpty();
    }
  }

  @Test
  void whatIsNoBfscopeIsSaid() throws Exception {
    try (FakeBfscope bfscope = new FakeBfscope(false)) {
      bfscope.send(text("SSH-2.0-OpenSSH\r\n"));
      assertThat(untilTheEnd(bfscope).events()).isEmpty();
    }
    assertThat(complaints)
        .containsExactly(
            "the bfscope is not followed any more: the other end is not a bfscope, or speaks another protocol: header=\"SSH-2.0-\"");
  }

  @Test
  void nobodyThere() throws Exception {
    BfscopeAddress nowhere;
    try (FakeBfscope bfscope = new FakeBfscope(false)) {
      nowhere = bfscope.address();
    }
    assertThatThrownBy(() -> LiveLog.follow(nowhere, folder, 0, null, 1, complaints::add))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "cannot connect to a bfscope: host=127.0.0.1 port=%d error=".formatted(nowhere.port()));
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void damagedConnectionsEndWithAMessageAtMost() throws Exception {
    long seed = System.nanoTime();
    System.out.println("LiveLogTest seed=" + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      ByteArrayOutputStream sent = new ByteArrayOutputStream();
      while (random.nextInt(4) > 0) {
        byte[] dump = new byte[1 + random.nextInt(300)];
        random.nextBytes(dump);
        sent.writeBytes(random.nextBoolean() ? header(dump.length) : digits("%06d", dump.length));
        sent.writeBytes(dump);
      }
      byte[] received = Arrays.copyOf(sent.toByteArray(), random.nextInt(sent.size() + 1));
      DumpReader reader = new DumpReader(new ByteArrayInputStream(received), 1 + random.nextInt(2));
      try {
        while (reader.next() != null) {
          assertThat(reader.cut() == null || received.length > 0).isTrue();
        }
      } catch (IOException e) {
        assertThat(e).as("seed=%d", seed).hasMessageContaining(" is not a bfscope, ");
      }
    }
  }

  @Test
  void addresses() {
    assertThat(BfscopeAddress.parse("tcp://box:6666"))
        .isEqualTo(new BfscopeAddress("box", 6666, 2));
    assertThat(BfscopeAddress.parse("tcp://box")).isEqualTo(new BfscopeAddress("box", 6666, 2));
    assertThat(BfscopeAddress.parse("tcp://[::1]:666"))
        .isEqualTo(new BfscopeAddress("::1", 666, 1));
    assertThat(BfscopeAddress.parse("tcp://10.0.0.1:7000/?protocol=1"))
        .isEqualTo(new BfscopeAddress("10.0.0.1", 7000, 1));
    for (String wrong : List.of("tcp://", "tcp://a:0", "tcp://a:99999", "tcp://a:b", "tcp://a?x")) {
      assertThatThrownBy(() -> BfscopeAddress.parse(wrong))
          .hasMessage(
              "not an address of a bfscope: address="
                  + wrong
                  + "; expected tcp://HOST:PORT[?protocol=1|2]");
    }
  }
}
