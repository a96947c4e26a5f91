package dev.kymo.reader;

import dev.kymo.format.PacketLayout;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Header and context of a packet as the file has them; none of it can be trusted. */
record PacketHeader(
    long offset,
    UUID uuid,
    int streamClass,
    Clocks clocks,
    long contentBits,
    long packetBits,
    long lost,
    long sequence,
    Owner owner) {

  /** Clocks of the first and the last record. */
  record Clocks(long begin, long end) {}

  record Owner(int process, int thread) {}

  /** Bytes; a packet that claims more is damaged, because rings are smaller. */
  static final long MAX_PACKET = 16 << 20;

  /** Reads a header at an index of the buffer. */
  static PacketHeader read(ByteBuffer from, int at, long offset) {
    return new PacketHeader(
        offset,
        PacketLayout.uuid(from, at),
        from.getInt(at + PacketLayout.STREAM_CLASS_OFFSET),
        new Clocks(
            from.getLong(at + PacketLayout.BEGIN_OFFSET),
            from.getLong(at + PacketLayout.END_OFFSET)),
        from.getLong(at + PacketLayout.CONTENT_SIZE_OFFSET),
        from.getLong(at + PacketLayout.PACKET_SIZE_OFFSET),
        from.getLong(at + PacketLayout.LOST_OFFSET),
        from.getLong(at + PacketLayout.SEQUENCE_OFFSET),
        new Owner(
            from.getInt(at + PacketLayout.PROCESS_OFFSET),
            from.getInt(at + PacketLayout.THREAD_OFFSET)));
  }

  static boolean magicAt(ByteBuffer from, int at) {
    return from.getInt(at + PacketLayout.MAGIC_OFFSET) == PacketLayout.MAGIC;
  }

  static boolean startAt(ByteBuffer from, int at, UUID uuid) {
    return magicAt(from, at) && PacketLayout.uuid(from, at).equals(uuid);
  }

  /** Whether the sizes can be those of a packet. */
  boolean plausible() {
    return packetBits >= PacketLayout.HEADER_SIZE * 8L
        && packetBits <= MAX_PACKET * 8
        && packetBits % 8 == 0
        && contentBits >= PacketLayout.HEADER_SIZE * 8L
        && contentBits <= packetBits
        && contentBits % 8 == 0;
  }

  String sizes() {
    return "content_bits=%s packet_bits=%s"
        .formatted(Long.toUnsignedString(contentBits), Long.toUnsignedString(packetBits));
  }
}
