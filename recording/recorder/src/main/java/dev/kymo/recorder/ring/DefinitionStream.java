package dev.kymo.recorder.ring;

import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingHeader;
import dev.kymo.format.RingLayout;
import dev.kymo.recorder.platform.RecorderWork;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes the definitions of this process into their ring. Any thread may; each waits for room,
 * because an event without its definition is worth little.
 */
public final class DefinitionStream {
  private final ByteBuffer memory;
  private final DrainerWatch drainer;
  private final int process;
  private final int subBufferSize;
  private final int subBuffers;
  private final ByteBuffer scratch =
      ByteBuffer.allocate(DefinitionCodec.MAX_SIZE).order(ByteOrder.LITTLE_ENDIAN);
  private long packet;
  private int used; // bytes of the open packet; 0 = none open

  public DefinitionStream(ByteBuffer memory, DrainerWatch drainer, int process) {
    this.process = process;
    this.memory = memory;
    this.drainer = drainer;
    this.subBufferSize = memory.getInt(RingLayout.SUB_BUFFER_SIZE_OFFSET);
    this.subBuffers = memory.getInt(RingLayout.SUB_BUFFERS_OFFSET);
  }

  /** Number of this process in the recording. */
  public int process() {
    return process;
  }

  /** Commits a definition, or drops it when the recording is over. May wait for the drainer. */
  public void put(Definition definition) {
    boolean begun = RecorderWork.begin();
    try {
      write(definition);
    } finally {
      RecorderWork.end(begun);
    }
  }

  /** Leaves a notice in the recording. */
  public void notice(String text) {
    put(new Definition.Notice(process, text));
  }

  private synchronized void write(Definition definition) {
    long now = drainer.now();
    scratch.clear();
    DefinitionCodec.put(scratch, now, definition);
    scratch.flip();
    if (used > 0 && used + scratch.remaining() >= subBufferSize) {
      used = 0;
      packet++;
      RingHeader.positionRelease(memory, packet * subBufferSize);
    }
    int at = RingLayout.HEADER_SIZE + (int) (packet % subBuffers) * subBufferSize;
    if (used == 0) {
      while (packet - RingHeader.takenAcquire(memory) >= subBuffers) {
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
    RingHeader.positionRelease(memory, packet * subBufferSize + used);
  }
}
