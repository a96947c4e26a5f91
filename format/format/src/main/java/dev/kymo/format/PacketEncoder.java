package dev.kymo.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;

/**
 * Fills the packets of one stream, one after the other, in memory of its own: {@link PacketLayout}
 * draws the bytes. Records may only be put while a packet is open and has room. Used by one thread.
 */
public final class PacketEncoder {
  private final ByteBuffer packet;
  private int position;
  private int thread;
  private int high;
  private long clock;
  private long sequence;
  private long lost;
  private long lostReported;

  /**
   * A stream without packets.
   *
   * @param process number in the recording
   * @param instance of the stream among those of its class in the process
   * @param size maximum size of a packet in bytes
   */
  public PacketEncoder(UUID uuid, int streamClass, int process, int instance, int size) {
    packet = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    PacketLayout.open(packet, 0, uuid, streamClass, process, instance);
  }

  public boolean isOpen() {
    return position > 0;
  }

  public boolean hasRoom(int size) {
    return packet.capacity() - position >= size;
  }

  /** Clock of the last record, or of the last packet's begin; 0 = there was none. */
  public long clock() {
    return clock;
  }

  /** The thread that a record put now would belong to. */
  public int thread() {
    return thread;
  }

  /**
   * Opens a packet.
   *
   * @param at clock of its first record
   * @param of the thread, or processor, that its records belong to
   */
  public void open(long at, int of) {
    PacketLayout.begin(packet, 0, at, lost, sequence, of);
    position = PacketLayout.HEADER_SIZE;
    thread = of;
    high = RecordEncoder.high(at);
    clock = at;
  }

  /** A record of a {@link StreamClass#THREADS} stream, or the word of one. */
  public void record(long at, int id, int payload) {
    position = RecordEncoder.word(packet, position, high, id, at, payload);
    high = RecordEncoder.high(at);
    clock = at;
    if (id == ThreadRecord.SWITCH) {
      thread = payload;
    }
  }

  /** A {@link ThreadRecord#DETAIL}, or an {@link ThreadRecord#EVENT} with its argument. */
  public void record(long at, int id, int payload, long argument) {
    record(at, id, payload);
    position = RecordEncoder.argument(packet, position, argument);
  }

  /** An {@link ThreadRecord#EVENT_DATA}. */
  public void data(long at, int event, byte[] data) {
    record(at, ThreadRecord.EVENT_DATA, event);
    position = RecordEncoder.data(packet, position, data, data.length);
  }

  /** A record of a {@link StreamClass#DEFINITIONS} stream. */
  public void definition(long at, Definition definition) {
    DefinitionCodec.put(packet.position(position), at, definition);
    advance(at, packet.position());
  }

  /** A record of a {@link StreamClass#COUNTS} stream. */
  public void count(long at, CountRecord count) {
    count.put(packet.position(position), at);
    advance(at, packet.position());
  }

  /**
   * A record of a {@link StreamClass#KERNEL} stream.
   *
   * @param event the kernel's bytes, from {@code offset} on
   */
  public void kernel(
      long at, int number, KernelEventFormat format, byte[] event, int offset, int size) {
    int bytes = KernelRecord.put(packet.array(), position, at, number, format, event, offset, size);
    advance(at, position + bytes);
  }

  /** Any bytes; the clock stays. */
  public void raw(byte[] bytes) {
    packet.put(position, bytes);
    position += bytes.length;
  }

  private void advance(long at, int to) {
    position = to;
    clock = at;
  }

  /** Events are missing after the packet closed last: the next one reports them. */
  public void lose(long events) {
    lost += events;
  }

  /** Packets are missing after the packet closed last. */
  public void skip(long packets) {
    sequence += packets;
  }

  public boolean hasUnreportedLoss() {
    return lost > lostReported;
  }

  /**
   * Closes the open packet.
   *
   * @return its bytes, until the next one is opened
   */
  public ByteBuffer close() {
    PacketLayout.close(packet, 0, clock, position);
    packet.limit(position).position(0);
    ByteBuffer closed = packet.slice();
    packet.clear();
    position = 0;
    sequence++;
    lostReported = lost;
    return closed;
  }
}
