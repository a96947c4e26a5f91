package dev.kymo.format;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Header and context of a packet, the block of records that is written and read as a unit.
 *
 * <pre>
 *   byte  0  u32      magic 0xC1FC1FC1
 *         4  u8[16]   uuid of the recording, big-endian as CTF wants it
 *        20  u32      stream class: {@link StreamClass}
 *        24  u64      stream instance: process &lt;&lt; 32 | ring
 *        -- context --
 *        32  u64      clock of the first record
 *        40  u64      clock of the last record
 *        48  u64      content size, bits, header included
 *        56  u64      packet size, bits; may be more: room for records to come
 *        64  u64      events lost in this stream before this packet, since its beginning
 *        72  u64      number of this packet in its stream, from 0
 *        80  u32      process
 *        84  u32      thread that the records belong to until a SWITCH says otherwise; of a
 *                     {@link StreamClass#KERNEL} stream: processor
 *        88  records
 * </pre>
 */
public final class PacketLayout {
  /** The number that every packet begins with, as CTF 1.8 defines. */
  public static final int MAGIC = 0xC1FC1FC1;

  public static final int MAGIC_OFFSET = 0;
  public static final int UUID_OFFSET = 4;
  public static final int STREAM_CLASS_OFFSET = 20;
  public static final int STREAM_INSTANCE_OFFSET = 24;
  public static final int BEGIN_OFFSET = 32;
  public static final int END_OFFSET = 40;
  public static final int CONTENT_SIZE_OFFSET = 48;
  public static final int PACKET_SIZE_OFFSET = 56;
  public static final int LOST_OFFSET = 64;
  public static final int SEQUENCE_OFFSET = 72;
  public static final int PROCESS_OFFSET = 80;
  public static final int THREAD_OFFSET = 84;

  /** Size of header and context in bytes; the records begin after them. */
  public static final int HEADER_SIZE = 88;

  private PacketLayout() {}

  /** Writes the part of a header that is known when a packet is opened. */
  public static void open(
      ByteBuffer buffer, int at, UUID uuid, int streamClass, int process, int ring) {
    buffer.putInt(at + MAGIC_OFFSET, MAGIC);
    buffer.putLong(at + UUID_OFFSET, Long.reverseBytes(uuid.getMostSignificantBits()));
    buffer.putLong(at + UUID_OFFSET + 8, Long.reverseBytes(uuid.getLeastSignificantBits()));
    buffer.putInt(at + STREAM_CLASS_OFFSET, streamClass);
    buffer.putLong(at + STREAM_INSTANCE_OFFSET, ((long) process << 32) | ring);
    buffer.putInt(at + PROCESS_OFFSET, process);
  }

  /** Writes the part that changes from packet to packet of a stream. */
  public static void begin(
      ByteBuffer buffer, int at, long clock, long lost, long sequence, int thread) {
    buffer.putLong(at + BEGIN_OFFSET, clock);
    buffer.putLong(at + LOST_OFFSET, lost);
    buffer.putLong(at + SEQUENCE_OFFSET, sequence);
    buffer.putInt(at + THREAD_OFFSET, thread);
  }

  /**
   * Writes the part that is known when a packet is closed.
   *
   * @param size bytes of the packet, header included
   */
  public static void close(ByteBuffer buffer, int at, long clock, int size) {
    buffer.putLong(at + END_OFFSET, clock);
    buffer.putLong(at + CONTENT_SIZE_OFFSET, size * 8L);
    buffer.putLong(at + PACKET_SIZE_OFFSET, size * 8L);
  }

  /** The recording's identity as the packet at {@code at} has it. */
  public static UUID uuid(ByteBuffer buffer, int at) {
    return new UUID(
        Long.reverseBytes(buffer.getLong(at + UUID_OFFSET)),
        Long.reverseBytes(buffer.getLong(at + UUID_OFFSET + 8)));
  }
}
