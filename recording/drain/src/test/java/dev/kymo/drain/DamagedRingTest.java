package dev.kymo.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.format.ControlLayout;
import dev.kymo.format.Definition;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.Redaction;
import dev.kymo.format.RingLayout;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.ring.TestRing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A recorded program writes where it should not: into the shared memory of its recorder. That costs
 * it the ring, and nobody anything else.
 */
class DamagedRingTest {
  /** All that the ring can hold, and what one damage can add at most. */
  private static final long MOST_BYTES = 2L * TestRing.SUB_BUFFER * TestRing.SUB_BUFFERS;

  @TempDir Path folder;

  private final List<Definition.Notice> notices = new ArrayList<>();
  private final long seed = Long.getLong("kymo.seed", System.nanoTime());
  private Path recording;
  private TestRing ring;
  private ByteBuffer control;
  private ProcessDrain process;
  private long clock = 1L << 33;

  @BeforeEach
  void prepare() throws Exception {
    recording = Files.createDirectory(folder.resolve("recording"));
    Path home = Files.createDirectory(folder.resolve("p1"));
    ring = new TestRing(home.resolve("ring-1"), RingLayout.DISCARD);
    Files.write(home.resolve("control"), new byte[ControlLayout.SIZE]);
    control = map(home.resolve("control"));
    assertThat(new Owners(anyone -> false).owner(home)).isNull(); // it is being made
    control.putLong(ControlLayout.MAGIC_OFFSET, ControlLayout.MAGIC);
    control.putInt(ControlLayout.RINGS_OFFSET, 2);
    ProcessDrain opened =
        ProcessDrain.open(
            home,
            new Output(recording, TestRing.ID, new Segments(0, 1), Redaction.NONE),
            pid -> false,
            notices::add);
    if (opened == null) {
      throw new AssertionError("not ready");
    }
    process = opened;
    record();
    round();
    System.out.println("DamagedRingTest seed=" + seed);
  }

  @AfterEach
  void close() throws IOException {
    process.close();
  }

  @Test
  void aPositionBeyondTheRingEndsItsStream() throws Exception {
    damage(RingLayout.POSITION_OFFSET, 0x7FFF_FFFF_FFFF_0000L);
    round();
    assertThat(notices)
        .singleElement()
        .extracting(Definition.Notice::text)
        .asString()
        .startsWith("a thread's shared memory was overwritten")
        .contains("ring=1 position=9223372036854710272");
    long size = recorded();
    for (int i = 0; i < 100; i++) {
      round();
    }
    process.finish(clock);
    assertThat(recorded()).isEqualTo(size).isLessThan(MOST_BYTES);
    assertThat(notices).hasSize(1);
  }

  @Test
  void aPositionThatGoesBackEndsItsStream() throws Exception {
    damage(RingLayout.POSITION_OFFSET, 8);
    round();
    assertThat(notices).hasSize(1);
  }

  @Test
  void aPacketThatIsNotThereEndsItsStream() throws Exception {
    damage(RingLayout.HEADER_SIZE + PacketLayout.SEQUENCE_OFFSET, 77);
    record();
    round();
    assertThat(notices).singleElement().asString().contains("ring=1 packet=0 is not there");
  }

  @Test
  void whatTheDrainerHasSaidIsSaidAgain() throws Exception {
    damage(RingLayout.TAKEN_OFFSET, -5);
    round();
    assertThat(ring.taken()).isZero();
    assertThat(notices).isEmpty();
  }

  @Test
  void theProgramDoesNotWaitForARingThatWasGivenUp() throws Exception {
    damage(RingLayout.POSITION_OFFSET, 8);
    round();
    for (int i = 0; i < 10_000; i++) {
      record();
      round();
    }
    assertThat(ring.lost()).isZero();
  }

  @Test
  void theStreamSaysThatSomethingIsMissing() throws Exception {
    damage(RingLayout.POSITION_OFFSET, 8);
    round();
    ByteBuffer bytes =
        ByteBuffer.wrap(Files.readAllBytes(recording.resolve("p1-ring-1")))
            .order(ByteOrder.LITTLE_ENDIAN);
    int second = (int) (bytes.getLong(PacketLayout.PACKET_SIZE_OFFSET) / 8);
    assertThat(bytes.getLong(second + PacketLayout.SEQUENCE_OFFSET)).isEqualTo(2);
    assertThat(bytes.limit()).isEqualTo(second + PacketLayout.HEADER_SIZE);
  }

  @Test
  void aNumberOfRingsThatCannotBeCostsNothing() throws Exception {
    control.putInt(ControlLayout.RINGS_OFFSET, Integer.MAX_VALUE);
    for (int i = 0; i < 5; i++) {
      record();
      round();
    }
    assertThat(process.finish(clock)).isPositive();
    assertThat(notices).isEmpty();
  }

  @Test
  void aRingWithoutPagesEndsItsStream() throws Exception {
    record();
    try (FileChannel file =
        FileChannel.open(folder.resolve("p1/ring-1"), StandardOpenOption.WRITE)) {
      file.truncate(0);
    }
    round();
    assertThat(notices).hasSize(1);
    round();
    process.finish(clock);
    assertThat(notices).hasSize(1);
  }

  @Test
  void anythingAnywhere() throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 300; i++) {
      for (int j = random.nextInt(200); j > 0; j--) {
        record();
      }
      int header = random.nextInt(3);
      int at =
          header == 0
              ? RingLayout.POSITION_OFFSET
              : header == 1
                  ? random.nextInt(24) * 8
                  : RingLayout.HEADER_SIZE
                      + random.nextInt(TestRing.SUB_BUFFER * TestRing.SUB_BUFFERS / 8) * 8;
      damage(at, random.nextBoolean() ? random.nextLong() : random.nextInt(100_000));
      round();
      control.putLong(random.nextInt(10) * 8, random.nextLong());
      round();
    }
    process.finish(clock);
    assertThat(recorded()).as("seed %d", seed).isLessThan(300L * MOST_BYTES);
    assertThat(notices.size()).as("seed %d", seed).isLessThanOrEqualTo(1);
  }

  @Test
  void anotherFolderIsNotTaken() throws Exception {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.createSymbolicLink(folder.resolve("p2"), outside);
    assertThat(assertThrows(IOException.class, () -> Home.open(folder.resolve("p2")))).isNotNull();
    Path home = Files.createDirectory(folder.resolve("p3"));
    Files.createSymbolicLink(home.resolve("control"), folder.resolve("p1/control"));
    try (Home linked = Home.open(home)) {
      assertThrows(IOException.class, linked::control);
    }
  }

  @Test
  void whatIsLeftAloneStaysClosed() throws Exception {
    assumeTrue(
        System.getProperty("user.name").equals("root"),
        "skipped: only root can make files of others");
    Path home = Files.createDirectory(folder.resolve("p4"));
    Files.write(home.resolve("control"), new byte[ControlLayout.SIZE]);
    map(home.resolve("control")).putLong(ControlLayout.MAGIC_OFFSET, ControlLayout.MAGIC);
    Files.setAttribute(home, "unix:uid", 65534);
    long before = openFiles();
    assertThrows(
        DamagedMemoryException.class,
        () ->
            ProcessDrain.open(
                home,
                new Output(recording, TestRing.ID, new Segments(0, 1), Redaction.NONE),
                pid -> false,
                notices::add));
    assertThat(openFiles()).isEqualTo(before);
  }

  /** Those in the folder of the test, which others do not open. */
  private long openFiles() throws IOException {
    long count = 0;
    try (var files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path file : files) {
        try {
          count += Files.readSymbolicLink(file).startsWith(folder) ? 1 : 0;
        } catch (IOException e) {
          // the one that lists them
        }
      }
    }
    return count;
  }

  private void record() {
    ring.record(ThreadRecord.ENTER, clock++, 1, 1);
  }

  private void round() throws IOException {
    process.look(1);
    process.take(true, clock);
  }

  private void damage(int at, long value) throws IOException {
    map(folder.resolve("p1/ring-1")).putLong(at, value);
  }

  private long recorded() throws IOException {
    long bytes = 0;
    try (var files = Files.newDirectoryStream(recording)) {
      for (Path file : files) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  private static ByteBuffer map(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel
          .map(FileChannel.MapMode.READ_WRITE, 0, channel.size())
          .order(ByteOrder.LITTLE_ENDIAN);
    }
  }
}
