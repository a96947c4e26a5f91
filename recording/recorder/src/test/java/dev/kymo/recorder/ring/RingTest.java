package dev.kymo.recorder.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import dev.kymo.format.ControlLayout;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.platform.TickClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingTest {
  private static final int SUB_BUFFER = 4096;
  private static final int SUB_BUFFERS = 4;
  private static final int RECORDS =
      (SUB_BUFFER - PacketLayout.HEADER_SIZE) / ThreadRecord.COMPACT_SIZE - 1;

  @TempDir Path folder;

  @Test
  void thePositionCoversWhatIsCommittedAndNeverTheWholeSubBuffer() throws IOException {
    ByteBuffer memory = memory(RingLayout.DISCARD);
    Ring ring = ring(memory);
    for (int i = 1; i <= RECORDS; i++) {
      record(ring, i);
      assertThat(memory.getLong(RingLayout.POSITION_OFFSET))
          .isEqualTo(PacketLayout.HEADER_SIZE + i * 8L)
          .isLessThan(SUB_BUFFER);
    }
    record(ring, RECORDS + 1);
    assertThat(memory.getLong(RingLayout.POSITION_OFFSET))
        .isEqualTo(SUB_BUFFER + PacketLayout.HEADER_SIZE + 8L);
    assertThat(memory.getLong(RingLayout.HEADER_SIZE + PacketLayout.PACKET_SIZE_OFFSET))
        .isEqualTo((SUB_BUFFER - 8) * 8L);
  }

  @Test
  void aFullRingDiscardsAndCounts() throws IOException {
    ByteBuffer memory = memory(RingLayout.DISCARD);
    Ring ring = ring(memory);
    int fits = RECORDS * SUB_BUFFERS;
    for (int i = 0; i < fits + 100; i++) {
      record(ring, i);
    }
    assertThat(memory.getLong(RingLayout.LOST_OFFSET)).isEqualTo(100);
    memory.putLong(RingLayout.TAKEN_OFFSET, 1);
    record(ring, fits + 100);
    assertThat(memory.getLong(RingLayout.LOST_OFFSET)).isEqualTo(100);
    assertThat(memory.getLong(RingLayout.HEADER_SIZE + PacketLayout.LOST_OFFSET)).isEqualTo(100);
  }

  @Test
  void aFlightRecorderCountsWhatItOverwrites() throws IOException {
    ByteBuffer memory = memory(RingLayout.OVERWRITE);
    Ring ring = ring(memory);
    for (int i = 0; i < RECORDS * SUB_BUFFERS + 1; i++) {
      record(ring, i);
    }
    assertThat(memory.getLong(RingLayout.LOST_OFFSET)).isEqualTo(RECORDS);
  }

  @Test
  void aClockWhoseHighHalfMovesIsWrittenWhole() throws IOException {
    ByteBuffer memory = memory(RingLayout.DISCARD);
    Ring ring = ring(memory);
    record(ring, 1);
    record(ring, 0x5_0000_0001L);
    int at = RingLayout.HEADER_SIZE + PacketLayout.HEADER_SIZE + 8;
    assertThat(ThreadRecord.id(memory.getLong(at))).isEqualTo(ThreadRecord.EXTENDED);
    assertThat(ThreadRecord.extendedClock(memory.getLong(at), memory.getLong(at + 8)))
        .isEqualTo(0x5_0000_0001L);
    assertThat(ring.mustLeaveFastPath(Thread.currentThread(), 0x5_0000_0002L)).isFalse();
    assertThat(ring.mustLeaveFastPath(Thread.currentThread(), 0x6_0000_0002L)).isTrue();
  }

  @Test
  void anotherThreadIsAnnounced() throws IOException {
    ByteBuffer memory = memory(RingLayout.DISCARD);
    Ring ring = ring(memory);
    record(ring, 1);
    ring.record(RingRecord.call(ThreadRecord.ENTER, 5), 2, new Thread(), 9, true);
    int at = RingLayout.HEADER_SIZE + PacketLayout.HEADER_SIZE;
    assertThat(memory.getLong(at + 8)).isEqualTo(ThreadRecord.compact(ThreadRecord.SWITCH, 2, 9));
    assertThat(memory.getLong(at + 16)).isEqualTo(ThreadRecord.compact(ThreadRecord.ENTER, 2, 5));
    assertThat(ring.mustLeaveFastPath(Thread.currentThread(), 3)).isTrue();
  }

  @Test
  void aVirtualThreadThatComesBackIsAnnouncedAgain() throws IOException {
    ByteBuffer memory = memory(RingLayout.DISCARD);
    Ring ring = ring(memory);
    Thread thread = new Thread();
    ring.record(RingRecord.call(ThreadRecord.ENTER, 5), 1, thread, 9, true);
    ring.forget(new Thread());
    assertThat(ring.mustLeaveFastPath(thread, 2)).isFalse();
    ring.forget(thread);
    assertThat(ring.mustLeaveFastPath(thread, 2)).isTrue();
    ring.record(RingRecord.call(ThreadRecord.LEAVE, 5), 2, thread, 9, true);
    int at = RingLayout.HEADER_SIZE + PacketLayout.HEADER_SIZE;
    assertThat(memory.getLong(at + 8)).isEqualTo(ThreadRecord.compact(ThreadRecord.SWITCH, 2, 9));
    assertThat(memory.getLong(at + 16)).isEqualTo(ThreadRecord.compact(ThreadRecord.LEAVE, 2, 5));
  }

  /** As the probe does. */
  private static void record(Ring ring, long clock) {
    if (!ring.mustLeaveFastPath(Thread.currentThread(), clock)) {
      ring.commit(ThreadRecord.compact(ThreadRecord.ENTER, clock, 5));
      return;
    }
    ring.record(RingRecord.call(ThreadRecord.ENTER, 5), clock, Thread.currentThread(), 1, false);
  }

  private ByteBuffer memory(int whenFull) throws IOException {
    return RingFile.create(
        folder.resolve("ring"),
        UUID.randomUUID(),
        StreamClass.THREADS,
        1,
        1,
        SUB_BUFFER,
        SUB_BUFFERS,
        whenFull);
  }

  private static Ring ring(ByteBuffer memory) {
    ByteBuffer control =
        ByteBuffer.allocateDirect(ControlLayout.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    DrainerWatch watch =
        new DrainerWatch(control, TickClock.handle(Clock.MONOTONIC), Path.of("no-recorder"));
    return new Ring(memory, watch, new Budget(0, 1), Thread.currentThread(), (m, mode) -> null);
  }
}
