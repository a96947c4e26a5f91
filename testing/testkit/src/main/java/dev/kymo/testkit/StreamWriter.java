package dev.kymo.testkit;

import dev.kymo.format.CountRecord;
import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.KernelRecord;
import dev.kymo.format.PacketEncoder;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Writes one stream: packets are opened, filled and closed as records come. */
public final class StreamWriter {
  private final ByteArrayOutputStream done = new ByteArrayOutputStream();
  private final PacketEncoder packet;
  private int thread;
  private long events;

  private StreamWriter(UUID uuid, int streamClass, int process, int ring, int packetSize) {
    this.packet = new PacketEncoder(uuid, streamClass, process, ring, packetSize);
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
    packet.kernel(at, number, format, bytes, 0, bytes.length);
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
    packet.record(at, ThreadRecord.DETAIL, 0, ThreadRecord.detail(object, other));
    events++;
    return this;
  }

  /** An event of the program's own with its argument. */
  public StreamWriter own(long at, int event, long argument) {
    room(at, ThreadRecord.EXTENDED_SIZE + ThreadRecord.ARGUMENT_SIZE);
    packet.record(at, ThreadRecord.EVENT, event, argument);
    events++;
    return this;
  }

  /** An event of the program's own with its data. */
  public StreamWriter own(long at, int event, byte[] data) {
    int size = ThreadRecord.dataSize(data.length);
    room(at, ThreadRecord.EXTENDED_SIZE + ThreadRecord.DATA_HEADER_SIZE + size);
    packet.data(at, event, data);
    events++;
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
    packet.lose(count);
    return this;
  }

  /** Packets are missing here; begins a packet. */
  public StreamWriter skipPackets(long count) {
    close();
    packet.skip(count);
    return this;
  }

  /** Writes a packet without records. */
  public StreamWriter empty(long at) {
    close();
    packet.open(at, thread);
    close();
    return this;
  }

  /** Any record, known or not. */
  public StreamWriter event(long at, int id, int payload) {
    room(at, ThreadRecord.EXTENDED_SIZE);
    packet.record(at, id, payload);
    events++;
    return this;
  }

  /** A definition. */
  public StreamWriter define(long at, Definition definition) {
    room(at, DefinitionCodec.MAX_SIZE);
    packet.definition(at, definition);
    events++;
    return this;
  }

  /** What was counted until now; of a stream of counts. */
  public StreamWriter count(long at, CountRecord count) {
    room(at, CountRecord.MAX_SIZE);
    packet.count(at, count);
    events++;
    return this;
  }

  /** Any bytes, into the open packet. */
  public StreamWriter raw(byte[] bytes) {
    packet.raw(bytes);
    return this;
  }

  private void room(long at, int bytes) {
    if (packet.isOpen() && !packet.hasRoom(bytes)) {
      close();
    }
    if (!packet.isOpen()) {
      packet.open(at, thread);
    }
  }

  /** Ends the open packet. */
  public StreamWriter close() {
    if (packet.isOpen()) {
      ByteBuffer closed = packet.close();
      done.write(closed.array(), closed.arrayOffset(), closed.remaining());
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
