package dev.kymo.recorder;

import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes the definitions of this process into their ring. Any thread may; each waits for room,
 * because an event without its definition is worth little.
 */
final class DefinitionStream {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final ByteBuffer memory;
  private final DrainerWatch drainer;
  private final int subBufferSize;
  private final int subBuffers;
  private final ByteBuffer scratch =
      ByteBuffer.allocate(DefinitionCodec.MAX_SIZE).order(ByteOrder.LITTLE_ENDIAN);
  private long packet;
  private int used; // bytes of the open packet; 0 = none open

  DefinitionStream(ByteBuffer memory, DrainerWatch drainer) {
    this.memory = memory;
    this.drainer = drainer;
    this.subBufferSize = memory.getInt(RingLayout.SUB_BUFFER_SIZE_OFFSET);
    this.subBuffers = memory.getInt(RingLayout.SUB_BUFFERS_OFFSET);
  }

  /** Commits a definition, or drops it when the recording is over. */
  synchronized void put(Definition definition) {
    long now = drainer.now();
    scratch.clear();
    DefinitionCodec.put(scratch, now, definition);
    scratch.flip();
    if (used > 0 && used + scratch.remaining() >= subBufferSize) {
      used = 0;
      packet++;
      LONG.setRelease(memory, RingLayout.POSITION_OFFSET, packet * subBufferSize);
    }
    int at = RingLayout.HEADER_SIZE + (int) (packet % subBuffers) * subBufferSize;
    if (used == 0) {
      while (packet - (long) LONG.getAcquire(memory, RingLayout.TAKEN_OFFSET) >= subBuffers) {
        if (!drainer.await(false)) {
          return;
        }
      }
      PacketLayout.begin(memory, at, now, 0, packet, 0);
      used = PacketLayout.HEADER_SIZE;
    }
    memory.put(at + used, scratch.array(), 0, scratch.limit());
    used += scratch.limit();
    PacketLayout.close(memory, at, now, used); // always closed: the drainer need not understand it
    LONG.setRelease(memory, RingLayout.POSITION_OFFSET, packet * subBufferSize + used);
  }
}
