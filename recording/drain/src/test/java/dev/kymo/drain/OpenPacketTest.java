package dev.kymo.drain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.Redaction;
import dev.kymo.format.RingLayout;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.ring.TestRing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The open packet of a stream file, drained at random moments and by drainers that are killed:
 * after every round the file holds exactly what is committed.
 */
class OpenPacketTest {
  /** So many records fit the ring whatever they are. */
  private static final int BURST = 500;

  private static final int OTHER_THREAD = 7;

  @TempDir Path folder;

  private final long seed = Long.getLong("kymo.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final List<String> recorded = new ArrayList<>();
  private Path directory;
  private Path stream;
  private TestRing ring;
  private @Nullable RingDrain drain;
  private long clock = 1L << 33;
  private int thread = 1;

  @BeforeEach
  void prepare() throws Exception {
    use(folder, RingLayout.DISCARD);
    System.out.println("OpenPacketTest seed=" + seed);
  }

  @Test
  void theFileHoldsWhatIsCommitted() throws Exception {
    for (int i = 0; i < 150; i++) {
      recordSome();
      take();
      assertThat(events()).as("round %d", i).isEqualTo(recorded);
    }
    drain().finish();
    assertThat(events()).isEqualTo(recorded);
    assertThat(Files.size(stream)).isEqualTo(lastPacketEnd());
  }

  @Test
  void theBytesTakenAreThoseOfTheFile() throws Exception {
    long taken = 0;
    for (int i = 0; i < 150; i++) {
      recordSome();
      drain().look();
      taken += drain().take(true);
    }
    while (ring.lost() == 0) { // the last ones find no room
      record();
    }
    taken += drain().finish();
    assertThat(taken).isEqualTo(Files.size(stream));
  }

  @Test
  void theOpenPacketIsWrittenWhenAskedFor() throws Exception {
    record();
    drain().look();
    drain().take(false);
    assertThat(Files.size(stream)).isZero();
    drain().take(true);
    assertThat(events()).isEqualTo(recorded);
    record();
    drain().take(true);
    assertThat(events()).as("not further than it has looked").hasSize(1);
  }

  @Test
  void packetsDoNotMoveWhileTheyGrow() throws Exception {
    record();
    take();
    long size = Files.size(stream);
    assertThat(size).isEqualTo(TestRing.SUB_BUFFER);
    while (ring.committed() < TestRing.SUB_BUFFER - 200) {
      record();
      take();
      assertThat(Files.size(stream)).isEqualTo(size);
    }
  }

  @Test
  void killedDrainersLeaveNothingTwice() throws Exception {
    for (int i = 0; i < 150; i++) {
      recordSome();
      take();
      kill(random.nextInt(6));
      drain = open();
      assertThat(recorded.subList(0, events().size())).as("round %d", i).isEqualTo(events());
      if (random.nextBoolean()) {
        recordSome();
      }
      take();
      assertThat(events()).as("round %d", i).isEqualTo(recorded);
    }
    drain().finish();
    kill(0);
    drain = open();
    drain().finish();
    assertThat(events()).isEqualTo(recorded);
    assertThat(Files.size(stream)).isEqualTo(lastPacketEnd());
  }

  @Test
  void lossesAfterTheOpenPacketAreTold() throws Exception {
    while (ring.lost() < 10) {
      ring.record(ThreadRecord.ENTER, clock++, 1, 1);
    }
    take();
    assertThat(headers()).extracting(Header::lost).containsOnly(0L);
    drain().finish();
    Header last = last();
    assertThat(last.lost()).isEqualTo(10);
    assertThat(last.content()).isEqualTo(PacketLayout.HEADER_SIZE);
    drain().close();
    drain = open();
    drain().finish();
    assertThat(last()).isEqualTo(last);
  }

  @Test
  void aFlightRecorderIsTakenAtTheEnd() throws Exception {
    drain().close();
    use(Files.createDirectory(folder.resolve("flight")), RingLayout.OVERWRITE);
    for (int i = 0; i < 1500; i++) {
      record();
    }
    take();
    assertThat(Files.size(stream)).isZero();
    drain().finish();
    List<String> events = events();
    int from = recorded.size() - events.size();
    assertThat(events).isNotEmpty().isEqualTo(recorded.subList(from, recorded.size()));
    assertThat(ring.lost()).isGreaterThanOrEqualTo(from); // switches count as well
    assertThat(headers()).extracting(Header::lost).containsOnly(ring.lost());
  }

  private void use(Path place, int whenFull) throws Exception {
    directory = place;
    stream = place.resolve("p1-ring-1");
    ring = new TestRing(place.resolve("ring-1"), whenFull);
    drain = open();
  }

  private RingDrain drain() {
    RingDrain current = drain;
    if (current == null) {
      throw new AssertionError();
    }
    return current;
  }

  private @Nullable RingDrain open() throws Exception {
    try (Home home = Home.open(directory)) {
      return RingDrain.open(
          home, new Output(directory, TestRing.ID, new Segments(0, 1), Redaction.NONE), 1, 1, null);
    }
  }

  private void take() throws Exception {
    drain().look();
    drain().take(true);
  }

  private void recordSome() {
    int count = random.nextInt(3) == 0 ? random.nextInt(BURST) : random.nextInt(5);
    for (int i = 0; i < count; i++) {
      record();
    }
  }

  /** Now and then another thread, or a clock whose high half has moved. */
  private void record() {
    clock += random.nextInt(200) == 0 ? 1L << 32 : random.nextInt(1000);
    thread = random.nextInt(100) == 0 ? 1 + random.nextInt(OTHER_THREAD) : thread;
    int method = random.nextInt(1 << 24);
    int id = random.nextInt(3);
    ring.record(id, clock, method, thread);
    recorded.add(clock + " " + thread + " " + id + " " + method);
  }

  /** Leaves the file in one of the states in which a killed drainer can leave it. */
  private void kill(int how) throws Exception {
    drain().close();
    if (Files.size(stream) == 0) {
      return;
    }
    Header last = last();
    try (FileChannel file = FileChannel.open(stream, StandardOpenOption.WRITE)) {
      long end = last.at() + last.size();
      ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      switch (how) {
        case 1 -> // room for the next packet, no header
            file.write(ByteBuffer.allocate(1), end + TestRing.SUB_BUFFER - 1);
        case 2 -> { // records, no header that counts them
          if (last.content() < last.size()) {
            file.write(word, last.at() + last.content());
          }
        }
        case 3 -> { // a whole packet half appended
          ByteBuffer half = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN);
          PacketLayout.open(half, 0, TestRing.ID, 1, 1, 1);
          PacketLayout.close(half, 0, 1, TestRing.SUB_BUFFER);
          file.write(half, end);
        }
        case 4 -> // trimmed, but the rest not cut off yet
            file.write(
                word.putLong(0, last.content() * 8), last.at() + PacketLayout.PACKET_SIZE_OFFSET);
        case 5 -> // appended, but the ring does not know
            ring.taken(Math.min(ring.taken(), last.sequence()));
        default -> {}
      }
    }
  }

  private record Header(long at, long size, long content, long lost, long sequence, long end) {}

  private List<Header> headers() throws Exception {
    ByteBuffer bytes = bytes();
    List<Header> headers = new ArrayList<>();
    for (int at = 0; at < bytes.limit(); ) {
      assertThat(bytes.getInt(at)).isEqualTo(PacketLayout.MAGIC);
      long size = bytes.getLong(at + PacketLayout.PACKET_SIZE_OFFSET) / 8;
      headers.add(
          new Header(
              at,
              size,
              bytes.getLong(at + PacketLayout.CONTENT_SIZE_OFFSET) / 8,
              bytes.getLong(at + PacketLayout.LOST_OFFSET),
              bytes.getLong(at + PacketLayout.SEQUENCE_OFFSET),
              bytes.getLong(at + PacketLayout.END_OFFSET)));
      at += Math.toIntExact(size);
      assertThat(at).isLessThanOrEqualTo(bytes.limit());
    }
    return headers;
  }

  private Header last() throws Exception {
    List<Header> headers = headers();
    return headers.get(headers.size() - 1);
  }

  private long lastPacketEnd() throws Exception {
    Header last = last();
    return last.at() + last.content();
  }

  /** Every event of the file; fails where a packet is not as it should be. */
  private List<String> events() throws Exception {
    ByteBuffer bytes = bytes();
    List<String> events = new ArrayList<>();
    long sequence = -1;
    for (Header header : headers()) {
      assertThat(sequence == -1 || header.sequence() == sequence + 1).isTrue();
      sequence = header.sequence();
      int from = (int) header.at();
      int owner = bytes.getInt(from + PacketLayout.THREAD_OFFSET);
      long last = bytes.getLong(from + PacketLayout.BEGIN_OFFSET);
      int end = from + (int) header.content();
      for (int at = from + PacketLayout.HEADER_SIZE; at < end; ) {
        long word = bytes.getLong(at);
        boolean extended = ThreadRecord.id(word) == ThreadRecord.EXTENDED;
        int id = extended ? ThreadRecord.extendedId(word) : ThreadRecord.id(word);
        last =
            extended
                ? ThreadRecord.extendedClock(word, bytes.getLong(at + 8))
                : ThreadRecord.clock(last, ThreadRecord.clockLow(word));
        int payload = ThreadRecord.payload(extended ? bytes.getLong(at + 8) : word);
        at += extended ? ThreadRecord.EXTENDED_SIZE : ThreadRecord.COMPACT_SIZE;
        if (id == ThreadRecord.SWITCH) {
          owner = payload;
        } else {
          events.add(last + " " + owner + " " + id + " " + payload);
        }
      }
      assertThat(header.end()).isGreaterThanOrEqualTo(last);
    }
    return events;
  }

  private ByteBuffer bytes() throws Exception {
    return ByteBuffer.wrap(Files.readAllBytes(stream)).order(ByteOrder.LITTLE_ENDIAN);
  }
}
