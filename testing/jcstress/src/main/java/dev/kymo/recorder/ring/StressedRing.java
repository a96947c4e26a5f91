package dev.kymo.recorder.ring;

import dev.kymo.format.Clock;
import dev.kymo.format.ControlLayout;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingHeader;
import dev.kymo.format.RingLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.platform.TickClock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A small ring, of which there are many. */
final class StressedRing {
  /** Records that fit into a sub-buffer, at most. */
  static final int MANY = 12;

  /** Room for some records: the slow path needs enough for an extended one and a switch. */
  static final int SUB_BUFFER_OF_MANY =
      PacketLayout.HEADER_SIZE + (MANY + 1) * ThreadRecord.COMPACT_SIZE;

  private static final int METHOD = 7;
  private static final int MOST_SUB_BUFFERS = 2;
  private static final int STRIDE =
      RingLayout.HEADER_SIZE + MOST_SUB_BUFFERS * SUB_BUFFER_OF_MANY + 24;

  /** More than jcstress has at a time, as StressTest starts it. */
  private static final int POOL = 1 << 12;

  private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(POOL * STRIDE);
  private static final AtomicInteger LAST = new AtomicInteger();
  private static final UUID ID = new UUID(1, 2);
  private static final Thread OWNER = new Thread();
  private static final DrainerWatch DRAINER =
      new DrainerWatch(
          ByteBuffer.allocateDirect(ControlLayout.SIZE).order(ByteOrder.LITTLE_ENDIAN),
          TickClock.handle(Clock.MONOTONIC),
          Path.of("no-recorder"));

  final ByteBuffer memory;
  final Ring ring;
  private final int subBufferSize;

  StressedRing(int whenFull, int subBuffers, int subBufferSize) {
    this.subBufferSize = subBufferSize;
    int size = RingLayout.HEADER_SIZE + subBuffers * subBufferSize;
    int place = (LAST.getAndIncrement() & (POOL - 1)) * STRIDE;
    memory = MEMORY.slice(place, size).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 256; i += Long.BYTES) {
      memory.putLong(i, 0);
    }
    for (int i = RingLayout.HEADER_SIZE; i + Long.BYTES <= size; i += Long.BYTES) {
      memory.putLong(i, 0);
    }
    RingFile.lay(memory, ID, StreamClass.THREADS, 1, 1, subBufferSize, subBuffers, whenFull);
    ring = new Ring(memory, DRAINER, new Budget(0, 1), OWNER, (counted, mode) -> null);
  }

  /** Records by way of the slow path. */
  void recordSlowly(long clock) {
    ring.record(RingRecord.call(ThreadRecord.ENTER, METHOD), clock, OWNER, 1, false);
  }

  /** Records as the probes do. */
  void record(long clock) {
    if (ring.mustLeaveFastPath(OWNER, clock)) {
      recordSlowly(clock);
    } else {
      ring.commit(word(clock));
    }
  }

  /** Whether the thread would record in the fast path. */
  boolean isOpen(long clock) {
    return !ring.mustLeaveFastPath(OWNER, clock);
  }

  static long word(long clock) {
    return ThreadRecord.compact(ThreadRecord.ENTER, clock, METHOD);
  }

  /** A word of a sub-buffer. */
  long word(int record, int subBuffer) {
    return memory.getLong(
        RingLayout.HEADER_SIZE
            + subBuffer * subBufferSize
            + PacketLayout.HEADER_SIZE
            + record * ThreadRecord.COMPACT_SIZE);
  }

  /** The number of the packet in the first sub-buffer. */
  long firstPacket() {
    return memory.getLong(RingLayout.HEADER_SIZE + PacketLayout.SEQUENCE_OFFSET);
  }

  /** Events lost so far. */
  long lost() {
    return RingHeader.lostAcquire(memory);
  }

  /** Packets closed so far. */
  long packets() {
    return RingHeader.positionAcquire(memory) / subBufferSize;
  }

  /** Records that the position covers, while the first packet is open. */
  int committed() {
    long position = RingHeader.positionAcquire(memory);
    return (int) Math.max(0, position - PacketLayout.HEADER_SIZE) / ThreadRecord.COMPACT_SIZE;
  }
}
