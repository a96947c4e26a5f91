package dev.kymo.recorder.ring;

import dev.kymo.format.Clock;
import dev.kymo.format.ControlLayout;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.recorder.platform.TickClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;

/** A ring and who writes it, for tests of the drainer. */
public final class TestRing {
  public static final int SUB_BUFFER = 4096;
  public static final int SUB_BUFFERS = 4;
  public static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

  private final ByteBuffer memory;
  private final Ring ring;

  /** Makes the ring's file. */
  public TestRing(Path file, int whenFull) throws IOException {
    memory =
        RingFile.create(file, ID, StreamClass.THREADS, 1, 1, SUB_BUFFER, SUB_BUFFERS, whenFull);
    ByteBuffer control =
        ByteBuffer.allocateDirect(ControlLayout.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    DrainerWatch watch =
        new DrainerWatch(control, TickClock.handle(Clock.MONOTONIC), Path.of("no-recorder"));
    ring = new Ring(memory, watch, new Budget(0, 1), Thread.currentThread(), (m, mode) -> null);
  }

  /** Records an event of a thread with this number. */
  public void record(int id, long clock, int method, int thread) {
    ring.record(RingRecord.call(id, method), clock, Thread.currentThread(), thread, false);
  }

  /** Bytes of records that are committed in the open packet. */
  public int committed() {
    long used = memory.getLong(RingLayout.POSITION_OFFSET) % SUB_BUFFER;
    return (int) Math.max(0, used - PacketLayout.HEADER_SIZE);
  }

  /** The calls of the thread that made it. */
  CallStack stack() {
    return new CallStack((m, mode) -> null);
  }

  /** Events lost so far. */
  public long lost() {
    return memory.getLong(RingLayout.LOST_OFFSET);
  }

  /** Packets that the drainer says it has taken. */
  public long taken() {
    return memory.getLong(RingLayout.TAKEN_OFFSET);
  }

  /** What the drainer did not come to say when it was killed. */
  public void taken(long packets) {
    memory.putLong(RingLayout.TAKEN_OFFSET, packets);
  }
}
