package dev.kymo.drain;

import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.Redaction;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes definitions as they come, in packets of their own, so that they are always on disk before
 * the events that use them.
 */
final class DefinitionPackets {
  private final RingMemory memory;
  private final RingStream stream;
  private final @Nullable OuterNumbers numbers;
  private final Redaction redaction;

  /** Clock of the last definition that a killed drainer has taken; they are told apart by it. */
  private final long takenBefore;

  /** Bytes of the ring's open packet that are taken. */
  private int taken;

  /**
   * The definitions of a ring.
   *
   * @param numbers replaces the numbers in them; null if they hold here
   * @param redaction what of command lines is left out
   */
  DefinitionPackets(
      RingMemory memory, RingStream stream, @Nullable OuterNumbers numbers, Redaction redaction) {
    this.redaction = redaction;
    this.memory = memory;
    this.stream = stream;
    this.numbers = numbers;
    this.takenBefore = stream.lastClock();
  }

  /** Takes the rest of a closed packet of the ring; returns the bytes written. */
  long takeClosed(long packet) throws IOException {
    int at = memory.slot(packet);
    long size = memory.bytes.getLong(at + PacketLayout.PACKET_SIZE_OFFSET) / 8;
    long bytes = takeTo(at, (int) Math.min(size, memory.subBufferSize));
    taken = 0;
    return bytes;
  }

  /** Takes the new definitions of the ring's open packet; returns the bytes written. */
  long takeOpen(long packet, int used) throws IOException {
    return takeTo(memory.slot(packet), used);
  }

  private long takeTo(int at, int end) throws IOException {
    int from = Math.max(taken, PacketLayout.HEADER_SIZE);
    if (end <= from) {
      return 0;
    }
    long bytes = append(memory.slice(at + from, end - from));
    taken = end;
    return bytes;
  }

  private long append(ByteBuffer records) throws IOException {
    long first = -1;
    long last = -1;
    int begin = 0;
    boolean hasCommand = false;
    try {
      while (records.hasRemaining()) {
        int at = records.position();
        long clock = records.getLong(at + 5);
        if (first < 0 && clock > takenBefore) {
          first = clock;
          begin = at;
        }
        last = clock;
        hasCommand |= records.getInt(at + 1) == DefinitionCodec.PROCESS;
        records.position(at + DefinitionCodec.HEADER_SIZE);
        DefinitionCodec.skip(records, records.getInt(at + 1));
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
      records.position(records.limit()); // damaged: taken as it is, readers report where
    }
    if (first < 0) {
      return 0;
    }
    records.position(begin);
    ByteBuffer kept = hasCommand ? redaction.redacted(records) : records;
    int length = kept.remaining();
    ByteBuffer packet = stream.newPacket(PacketLayout.HEADER_SIZE + length, first, last, 0);
    packet.put(PacketLayout.HEADER_SIZE, kept, kept.position(), length);
    if (numbers != null) {
      numbers.replace(packet.duplicate().order(packet.order()).position(PacketLayout.HEADER_SIZE));
    }
    stream.append(packet);
    return packet.capacity();
  }
}
