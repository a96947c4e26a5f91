package dev.kymo.drain;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingHeader;
import dev.kymo.format.RingLayout;
import dev.kymo.format.StreamClass;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a ring ({@link RingLayout}) as the drainer sees it. The recorded process can
 * overwrite all of it at any time: values read here are checked against the expected ones, and
 * sizes are read only once.
 */
final class RingMemory {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int LARGEST_SUB_BUFFER = 1 << 26;

  /** No thread can lose more events than this. */
  private static final long MOST_LOST = 1L << 53;

  final ByteBuffer bytes;
  final int ring;
  final int streamClass;
  final int subBufferSize;
  final int subBuffers;

  /** Whether the oldest packets are overwritten; definitions never are. */
  final boolean overwrite;

  private RingMemory(ByteBuffer bytes, int ring) {
    this.bytes = bytes;
    this.ring = ring;
    this.streamClass = bytes.getInt(RingLayout.STREAM_CLASS_OFFSET);
    this.subBufferSize = bytes.getInt(RingLayout.SUB_BUFFER_SIZE_OFFSET);
    this.subBuffers = bytes.getInt(RingLayout.SUB_BUFFERS_OFFSET);
    this.overwrite =
        streamClass == StreamClass.THREADS
            && bytes.getInt(RingLayout.WHEN_FULL_OFFSET) == RingLayout.OVERWRITE;
  }

  /** Maps a ring; null as long as it is not complete. */
  static @Nullable RingMemory open(Home home, int ring) throws IOException, DamagedMemoryException {
    try (FileChannel channel = home.open("ring-" + ring)) {
      if (channel == null) {
        return null;
      }
      long size = channel.size();
      if (size < RingLayout.HEADER_SIZE || size > Integer.MAX_VALUE) {
        return null;
      }
      ByteBuffer bytes = Home.map(channel, size);
      if ((long) LONG.getAcquire(bytes, RingLayout.MAGIC_OFFSET) != RingLayout.MAGIC
          || channel.size() != size) { // it was still under construction when its size was read
        return null;
      }
      RingMemory memory = new RingMemory(bytes, ring);
      memory.checkSizes(size);
      return memory;
    }
  }

  private void checkSizes(long size) throws DamagedMemoryException {
    if (subBufferSize <= PacketLayout.HEADER_SIZE
        || subBufferSize > LARGEST_SUB_BUFFER
        || RingLayout.HEADER_SIZE + (long) subBufferSize * subBuffers != size
        || (streamClass != StreamClass.THREADS && streamClass != StreamClass.DEFINITIONS)) {
      throw new DamagedMemoryException(
          "ring=%d size=%d sub_buffer=%d stream_class=%d"
              .formatted(ring, size, subBufferSize, streamClass));
    }
  }

  /**
   * The thread's position in the ring.
   *
   * @param before its previous position
   * @param taken packets that were taken: the position cannot be beyond the room for it
   */
  long position(long before, long taken) throws DamagedMemoryException {
    long position = RingHeader.positionAcquire(bytes);
    long ahead = position - taken * subBufferSize;
    boolean hasRoom = overwrite || (ahead >= 0 && ahead <= (long) subBuffers * subBufferSize);
    if (position < before || !hasRoom) {
      throw new DamagedMemoryException(
          "ring=%d position=%d before=%d taken=%d".formatted(ring, position, before, taken));
    }
    return position;
  }

  long lost() throws DamagedMemoryException {
    long lost = RingHeader.lostAcquire(bytes);
    if (lost < 0 || lost > MOST_LOST) {
      throw new DamagedMemoryException("ring=%d lost=%d".formatted(ring, lost));
    }
    return lost;
  }

  /** Checks that the packet with this number is in its place. */
  void check(UUID uuid, long packet) throws DamagedMemoryException {
    int at = slot(packet);
    if (bytes.getInt(at + PacketLayout.MAGIC_OFFSET) != PacketLayout.MAGIC
        || !PacketLayout.uuid(bytes, at).equals(uuid)
        || bytes.getInt(at + PacketLayout.STREAM_CLASS_OFFSET) != streamClass
        || bytes.getLong(at + PacketLayout.SEQUENCE_OFFSET) != packet) {
      throw new DamagedMemoryException("ring=%d packet=%d is not there".formatted(ring, packet));
    }
  }

  /** Number of packets that a drainer has reported as taken. */
  long taken() {
    return RingHeader.takenAcquire(bytes);
  }

  /** Reports the number of packets taken: their room can be used again. */
  void taken(long packets) {
    RingHeader.takenRelease(bytes, packets);
  }

  /** Counts everything the program writes as taken, so that it does not wait. */
  void letGoOn() {
    long position = RingHeader.positionAcquire(bytes);
    taken(Math.max(0, position / subBufferSize));
  }

  int slot(long packet) {
    return RingLayout.HEADER_SIZE + (int) (packet % subBuffers) * subBufferSize;
  }

  ByteBuffer slice(int at, int size) {
    return bytes.slice(at, size).order(ByteOrder.LITTLE_ENDIAN);
  }

  ByteBuffer copy(int at, int size) {
    byte[] copy = new byte[size];
    bytes.get(at, copy);
    return ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
  }
}
