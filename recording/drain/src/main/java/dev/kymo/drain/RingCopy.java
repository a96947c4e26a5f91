package dev.kymo.drain;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingHeader;
import dev.kymo.format.RingLayout;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Copies the packets of a ring while it overwrites its oldest ones; packets that are overwritten
 * during the copy are left out. It copies small pieces with a rest after each, so that on a busy
 * machine the program runs in between, and not only when this thread's share of time is used up.
 */
final class RingCopy {
  private static final int PIECE = 256 << 10;
  private static final long REST_NANOS = 50_000;

  private final ByteBuffer memory;
  private final int subBufferSize;
  private final int subBuffers;
  private final ByteBuffer packet;

  RingCopy(ByteBuffer memory) {
    this.memory = memory;
    this.subBufferSize = memory.getInt(RingLayout.SUB_BUFFER_SIZE_OFFSET);
    this.subBuffers = memory.getInt(RingLayout.SUB_BUFFERS_OFFSET);
    this.packet = ByteBuffer.allocateDirect(subBufferSize).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Writes a stream file; returns its first clock, {@link Long#MAX_VALUE} if it has none. */
  long writeTo(Path file) throws IOException {
    long lostSoFar = RingHeader.lostAcquire(memory);
    long position = RingHeader.positionAcquire(memory);
    long open = position / subBufferSize;
    int used = (int) (position % subBufferSize);
    long first = Long.MAX_VALUE;
    try (StreamFile copy = new StreamFile(file, RingCopy::rest)) {
      for (long number = Math.max(0, open - subBuffers); number <= open; number++) {
        if (take(number, used, number == open)) {
          packet.putLong(PacketLayout.LOST_OFFSET, lostSoFar);
          first = Math.min(first, packet.getLong(PacketLayout.BEGIN_OFFSET));
          copy.append(packet);
        }
      }
    }
    return first;
  }

  /**
   * Copies a packet in its present state; false if it is empty or was overwritten during the copy.
   */
  private boolean take(long number, int used, boolean isOpen) {
    int at = RingLayout.HEADER_SIZE + (int) (number % subBuffers) * subBufferSize;
    int size = isOpen ? used : closedSize(at);
    if (size <= PacketLayout.HEADER_SIZE) {
      return false;
    }
    packet.clear();
    for (int done = 0; done < size; done += PIECE) {
      packet.put(done, memory, at + done, Math.min(PIECE, size - done));
      rest();
    }
    VarHandle.acquireFence();
    long now = RingHeader.positionAcquire(memory);
    if (now / subBufferSize >= number + subBuffers) {
      return false;
    }
    packet.limit(size);
    if (isOpen) {
      long begin = packet.getLong(PacketLayout.BEGIN_OFFSET);
      long end = LastClock.of(packet, PacketLayout.HEADER_SIZE, begin);
      PacketLayout.close(packet, 0, end, size);
    }
    long whole = packet.getLong(PacketLayout.PACKET_SIZE_OFFSET) / 8;
    if (whole < PacketLayout.HEADER_SIZE || whole > size) {
      return false;
    }
    packet.limit((int) whole);
    return true;
  }

  /** Bytes of a closed packet. The pages after it may have no memory yet, and none may be left. */
  private int closedSize(int at) {
    long size = memory.getLong(at + PacketLayout.PACKET_SIZE_OFFSET) / 8;
    return size >= PacketLayout.HEADER_SIZE && size <= subBufferSize ? (int) size : subBufferSize;
  }

  private static void rest() {
    LockSupport.parkNanos(REST_NANOS);
  }
}
