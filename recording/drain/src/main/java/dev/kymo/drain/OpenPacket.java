package dev.kymo.drain;

import dev.kymo.format.PacketLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Follows the packet that a thread is still filling: its records go to the file as they come. */
final class OpenPacket {
  private final RingMemory memory;
  private final UUID uuid;
  private final RingStream stream;

  /** Bytes of the packet that are in the file. */
  private int taken;

  /** Clock of the last record in the file. */
  private long clock;

  /**
   * Goes on with the open packet of a stream.
   *
   * @param uuid of the recording
   */
  OpenPacket(RingMemory memory, UUID uuid, RingStream stream) {
    this.memory = memory;
    this.uuid = uuid;
    this.stream = stream;
    this.taken = stream.open();
    this.clock = stream.lastClock();
  }

  /** Bytes of the packet that are in the file; 0 = it is not in the file. */
  int taken() {
    return taken;
  }

  /** Forgets the packet: it is not in the file that comes next. */
  void forget() {
    taken = 0;
  }

  /**
   * Takes the records that are new.
   *
   * @param used bytes of the packet that have records
   */
  void take(long packet, int used) throws IOException, DamagedMemoryException {
    if (used <= Math.max(taken, PacketLayout.HEADER_SIZE)) {
      return;
    }
    memory.check(uuid, packet);
    int at = memory.slot(packet);
    boolean first = taken <= PacketLayout.HEADER_SIZE;
    clock =
        LastClock.of(
            memory.slice(at, used),
            first ? PacketLayout.HEADER_SIZE : taken,
            first ? memory.bytes.getLong(at + PacketLayout.BEGIN_OFFSET) : clock);
    grow(at, used, clock);
  }

  /** Takes the rest of the packet, which the thread has closed. */
  void close(int at, int size) throws IOException {
    grow(at, size, memory.bytes.getLong(at + PacketLayout.END_OFFSET));
    stream.closePacket();
    taken = 0;
  }

  /** Has the packet's first {@code used} bytes in the file. */
  private void grow(int at, int used, long end) throws IOException {
    int from = Math.max(taken, PacketLayout.HEADER_SIZE);
    if (used > from) {
      ByteBuffer header = memory.copy(at, PacketLayout.HEADER_SIZE);
      PacketLayout.close(header, 0, end, used);
      header.putLong(PacketLayout.PACKET_SIZE_OFFSET, memory.subBufferSize * 8L);
      stream.grow(header, memory.slice(at + from, used - from));
    }
    taken = Math.max(taken, used);
  }
}
