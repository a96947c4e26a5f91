package dev.kymo.kernel.daemon;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The events of one EVENTS frame. Used by one thread. */
final class Batch {
  private static final int FULL = 64 * 1024;

  private byte[] bytes = new byte[FULL];
  private int used = Frames.HEADER;
  private int last;

  boolean isEmpty() {
    return used == Frames.HEADER;
  }

  boolean hasRoom(int size) {
    return used + Frames.EVENT_HEADER + size <= FULL;
  }

  /**
   * Adds an event; an event without room needs an empty batch.
   *
   * @return where its bytes are in {@link #bytes()}
   */
  int add(int cpu, long clock, int event, byte[] from, int at, int size) {
    int end = used + Frames.EVENT_HEADER + size;
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, end);
    }
    last = used;
    Bytes.i64(bytes, used, clock);
    Bytes.i16(bytes, used + 8, cpu);
    Bytes.i16(bytes, used + 10, event);
    Bytes.i32(bytes, used + 12, size);
    System.arraycopy(from, at, bytes, used + Frames.EVENT_HEADER, size);
    used = end;
    return last + Frames.EVENT_HEADER;
  }

  byte[] bytes() {
    return bytes;
  }

  void undo() {
    used = last;
  }

  /** Returns the frame, and empties the batch. */
  ByteBuffer take() {
    byte[] frame = Arrays.copyOf(bytes, used);
    Bytes.i32(frame, 0, used - 4);
    frame[4] = (byte) Frames.EVENTS;
    used = Frames.HEADER;
    return ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
  }
}
