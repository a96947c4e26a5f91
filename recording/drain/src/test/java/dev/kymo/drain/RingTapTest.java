package dev.kymo.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.kymo.format.Clock;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.RecordCursor;
import dev.kymo.format.RingHeader;
import dev.kymo.format.RingLayout;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.ring.TestRing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ring that overwrites itself is looked at while it is written. */
class RingTapTest implements RecordWatch {
  private static final int MANY = 10 * TestRing.SUB_BUFFER;

  @TempDir Path folder;

  private final List<Long> recorded = new ArrayList<>();
  private final List<Long> seen = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(7);
  private Home home;
  private TestRing ring;
  private RingMemory memory;
  private RingTap tap;
  private long clock = 1L << 33;
  private long place;
  private int missed;

  @BeforeEach
  void prepare() throws Exception {
    Path directory = Files.createDirectory(folder.resolve("p1"));
    ring = new TestRing(directory.resolve("ring-1"), RingLayout.OVERWRITE);
    home = Home.open(directory);
    RingMemory opened = RingMemory.open(home, 1);
    if (opened == null) {
      throw new AssertionError("not ready");
    }
    memory = opened;
    tap = new RingTap(memory, 1);
  }

  @AfterEach
  void close() throws Exception {
    home.close();
  }

  private void record(int count) {
    for (int i = 0; i < count; i++) {
      clock += random.nextInt(20) == 0 ? 1L << 31 : 5;
      ring.record(ThreadRecord.ENTER, clock, 3, 1);
      recorded.add(clock);
    }
  }

  private void look() throws Exception {
    tap.take(RingHeader.positionAcquire(memory.bytes), this);
  }

  @Override
  public void begin() {}

  @Override
  public void take(Piece piece) {
    missed += piece.missed() ? 1 : 0;
    place = piece.first() ? piece.begin() : place;
    RecordCursor cursor = new RecordCursor(piece.records(), 0, place);
    while (cursor.next()) {
      seen.add(cursor.clock());
    }
    place = cursor.clock();
  }

  @Override
  public List<Reason> end(Clock known, long now) {
    return List.of();
  }

  @Test
  void everyRecordIsSeenOnce() throws Exception {
    for (int i = 0; i < 300; i++) {
      record(random.nextInt(200));
      look();
      assertThat(seen).as("look %d", i).isEqualTo(recorded);
    }
    assertThat(missed).isZero();
  }

  @Test
  void whatWasOverwrittenIsMissed() throws Exception {
    record(10);
    look();
    record(MANY);
    look();
    assertThat(missed).isEqualTo(1);
    assertThat(seen.subList(0, 10)).isEqualTo(recorded.subList(0, 10));
    List<Long> rest = seen.subList(10, seen.size());
    assertThat(rest).hasSizeGreaterThan(100).hasSizeLessThan(MANY);
    assertThat(rest).isEqualTo(recorded.subList(recorded.size() - rest.size(), recorded.size()));
    record(10);
    look();
    assertThat(missed).isEqualTo(1);
  }

  @Test
  void aPacketThatIsNotThereIsDamage() throws Exception {
    record(10);
    memory.bytes.putInt(memory.slot(0) + PacketLayout.MAGIC_OFFSET, 0);
    assertThrows(DamagedMemoryException.class, this::look);
    assertThat(seen).isEmpty();
  }
}
