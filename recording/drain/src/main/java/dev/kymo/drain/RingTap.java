package dev.kymo.drain;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingHeader;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Copies what is new in a ring that overwrites itself, and changes nothing in it. What was
 * overwritten before or during the copy is missed; the next piece says so.
 */
final class RingTap {
  private final RingMemory memory;
  private final int process;
  private final ByteBuffer copy;

  /** Position in the ring up to which everything was copied or missed. */
  private long done;

  private boolean missed;

  RingTap(RingMemory memory, int process) {
    this.memory = memory;
    this.process = process;
    this.copy = ByteBuffer.allocate(memory.subBufferSize).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Passes on what lies between the previous position and this one. */
  void take(long position, RecordWatch watch) throws DamagedMemoryException {
    long open = position / memory.subBufferSize;
    long oldest = Math.max(0, open - memory.subBuffers + 1) * memory.subBufferSize;
    if (done < oldest) {
      done = oldest;
      missed = true;
    }
    while (done < position) {
      long packet = done / memory.subBufferSize;
      int from = Math.max(PacketLayout.HEADER_SIZE, (int) (done % memory.subBufferSize));
      boolean isOpen = packet == open;
      int used = (int) (position % memory.subBufferSize);
      copyAndPass(packet, from, isOpen ? used : -1, watch);
      done = isOpen ? position : (packet + 1) * memory.subBufferSize;
    }
  }

  /**
   * Copies a part of a packet.
   *
   * @param used where it ends; -1 = the packet is closed, its header says where
   */
  private void copyAndPass(long packet, int from, int used, RecordWatch watch)
      throws DamagedMemoryException {
    int at = memory.slot(packet);
    copy.clear().put(0, memory.bytes, at, PacketLayout.HEADER_SIZE);
    long content = copy.getLong(PacketLayout.CONTENT_SIZE_OFFSET) / Byte.SIZE;
    int to = used >= 0 ? used : (int) Math.max(from, Math.min(content, memory.subBufferSize));
    if (to > from) {
      copy.put(from, memory.bytes, at + from, to - from);
    }
    VarHandle.acquireFence();
    long now = RingHeader.positionAcquire(memory.bytes);
    if (now / memory.subBufferSize >= packet + memory.subBuffers) {
      missed = true;
      return;
    }
    if (copy.getInt(PacketLayout.MAGIC_OFFSET) != PacketLayout.MAGIC
        || copy.getLong(PacketLayout.SEQUENCE_OFFSET) != packet) {
      throw new DamagedMemoryException(
          "ring=%d packet=%d is not there".formatted(memory.ring, packet));
    }
    if (to > from) {
      pass(from, to, watch);
    }
  }

  private void pass(int from, int to, RecordWatch watch) {
    ByteBuffer records = copy.slice(from, to - from).order(ByteOrder.LITTLE_ENDIAN);
    watch.take(
        new RecordWatch.Piece(
            process,
            memory.ring,
            missed,
            from == PacketLayout.HEADER_SIZE,
            copy.getLong(PacketLayout.BEGIN_OFFSET),
            copy.getInt(PacketLayout.THREAD_OFFSET),
            records));
    missed = false;
  }
}
