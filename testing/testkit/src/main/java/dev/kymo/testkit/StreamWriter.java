package dev.kymo.reader.testing;

import dev.kymo.format.CountRecord;
import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.KernelRecord;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;

/** Writes one stream: packets are opened, filled and closed as records come. */
public final class StreamWriter {
  private final UUID uuid;
  private final int streamClass;
  private final int process;
  private final int ring;
  private final ByteArrayOutputStream done = new ByteArrayOutputStream();
  private final ByteBuffer packet;
  private boolean open;
  private int thread;
  private long clock;
  private long lost;
  private long sequence;
  private long events;

  private StreamWriter(UUID uuid, int streamClass, int process, int ring, int packetSize) {
    this.uuid = uuid;
    this.streamClass = streamClass;
    this.process = process;
    this.ring = ring;
    this.packet = ByteBuffer.allocate(packetSize).order(ByteOrder.LITTLE_ENDIAN);
  }

  static StreamWriter definitions(UUID uuid, int process, int packetSize) {
    return definitions(uuid, process, 0, packetSize);
  }

  static StreamWriter names(UUID uuid, int process, int packetSize) {
    return definitions(uuid, process, 1, packetSize);
  }

  private static StreamWriter definitions(UUID uuid, int process, int instance, int packetSize) {
    int size = Math.max(packetSize, DefinitionCodec.MAX_SIZE + PacketLayout.HEADER_SIZE);
    return new StreamWriter(uuid, StreamClass.DEFINITIONS, process, instance, size);
  }

  static StreamWriter threads(UUID uuid, int process, int ring, int thread, int packetSize) {
    StreamWriter stream = new StreamWriter(uuid, StreamClass.THREADS, process, ring, packetSize);
    stream.thread = thread;
    return stream;
  }

  static StreamWriter counts(UUID uuid, int process, int packetSize) {
    int size = Math.max(packetSize, CountRecord.MAX_SIZE + PacketLayout.HEADER_SIZE);
    return new StreamWriter(uuid, StreamClass.COUNTS, process, 0, size);
  }

  static StreamWriter kernel(UUID uuid, int process, int cpu, int packetSize) {
    StreamWriter stream = new StreamWriter(uuid, StreamClass.KERNEL, process, cpu, packetSize);
    stream.thread = cpu;
    return stream;
  }

  /**
   * An event of the kernel.
   *
   * @param bytes as the kernel has them, from its number on
   */
  public StreamWriter kernel(long at, int number, KernelEventFormat format, byte[] bytes) {
    room(at, KernelRecord.sizeBound(bytes.length));
    byte[] record = new byte[KernelRecord.sizeBound(bytes.length)];
    packet.put(record, 0, KernelRecord.put(record, 0, at, number, format, bytes, 0, bytes.length));
    clock = at;
    events++;
    return this;
  }

  /** A call begins. */
  public StreamWriter enter(long at, int method) {
    return event(at, ThreadRecord.ENTER, method);
  }

  /** A call returns. */
  public StreamWriter leave(long at, int method) {
    return event(at, ThreadRecord.LEAVE, method);
  }

  /** A call ends by an exception. */
  public StreamWriter unwind(long at, int method) {
    return event(at, ThreadRecord.UNWIND, method);
  }

  /**
   * More about the innermost open call, which is to be left next.
   *
   * @param other track of states that let it go on, 0 = unknown
   */
  public StreamWriter detail(long at, int object, int other) {
    room(at, ThreadRecord.EXTENDED_SIZE + ThreadRecord.DETAIL_SIZE);
    event(at, ThreadRecord.DETAIL, 0);
    packet.putLong(ThreadRecord.detail(object, other));
    return this;
  }

  /** An event of the program's own with its argument. */
  public StreamWriter own(long at, int event, long argument) {
    room(at, ThreadRecord.EXTENDED_SIZE + ThreadRecord.ARGUMENT_SIZE);
    event(at, ThreadRecord.EVENT, event);
    packet.putLong(argument);
    return this;
  }

  /** An event of the program's own with its data. */
  public StreamWriter own(long at, int event, byte[] data) {
    int size = ThreadRecord.dataSize(data.length);
    room(at, ThreadRecord.EXTENDED_SIZE + ThreadRecord.DATA_HEADER_SIZE + size);
    event(at, ThreadRecord.EVENT_DATA, event);
    packet.putLong(ThreadRecord.dataHeader(data.length));
    packet.put(data).put(new byte[size - data.length]);
    return this;
  }

  /** Another thread continues. */
  public StreamWriter switchTo(long at, int other) {
    event(at, ThreadRecord.SWITCH, other);
    thread = other;
    return this;
  }

  /** The ring is passed on to another thread; begins a packet. */
  public StreamWriter passOn(int other) {
    close();
    thread = other;
    return this;
  }

  /** Events are lost here; begins a packet. */
  public StreamWriter lose(long count) {
    close();
    lost += count;
    return this;
  }

  /** Packets are missing here; begins a packet. */
  public StreamWriter skipPackets(long count) {
    close();
    sequence += count;
    return this;
  }

  /** Writes a packet without records. */
  public StreamWriter empty(long at) {
    close();
    begin(at);
    clock = at;
    close();
    return this;
  }

  /** Any record, known or not. */
  public StreamWriter event(long at, int id, int payload) {
    room(at, ThreadRecord.EXTENDED_SIZE);
    if (at >>> 32 == clock >>> 32 && id < ThreadRecord.EXTENDED) {
      packet.putLong(ThreadRecord.compact(id, at, payload));
    } else {
      packet.putLong(ThreadRecord.extendedFirst(id, at));
      packet.putLong(ThreadRecord.extendedSecond(at, payload));
    }
    clock = at;
    events++;
    return this;
  }

  /** A definition. */
  public StreamWriter define(long at, Definition definition) {
    room(at, DefinitionCodec.MAX_SIZE);
    DefinitionCodec.put(packet, at, definition);
    clock = at;
    events++;
    return this;
  }

  /** What was counted until now; of a stream of counts. */
  public StreamWriter count(long at, CountRecord count) {
    room(at, CountRecord.MAX_SIZE);
    count.put(packet, at);
    clock = at;
    events++;
    return this;
  }

  /** Any bytes, into the open packet. */
  public StreamWriter raw(byte[] bytes) {
    packet.put(bytes);
    return this;
  }

  private void room(long at, int bytes) {
    if (open && packet.remaining() < bytes) {
      close();
    }
    if (!open) {
      begin(at);
      clock = at;
    }
  }

  private void begin(long at) {
    packet.clear();
    PacketLayout.open(packet, 0, uuid, streamClass, process, ring);
    PacketLayout.begin(packet, 0, at, lost, sequence++, thread);
    packet.position(PacketLayout.HEADER_SIZE);
    open = true;
  }

  /** Ends the open packet. */
  public StreamWriter close() {
    if (open) {
      PacketLayout.close(packet, 0, clock, packet.position());
      done.write(packet.array(), 0, packet.position());
      open = false;
    }
    return this;
  }

  /** Events written so far. */
  public long events() {
    return events;
  }

  /** The file. */
  public byte[] bytes() {
    close();
    return done.toByteArray();
  }
}
