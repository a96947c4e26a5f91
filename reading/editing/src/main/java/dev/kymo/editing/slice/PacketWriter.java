package dev.kymo.editing.slice;

import dev.kymo.format.CountRecord;
import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.PacketEncoder;
import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import dev.kymo.writer.PacketFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.LongUnaryOperator;

/** Writes one stream of a recording; its file is made with the first packet. */
final class PacketWriter implements AutoCloseable {
  private static final int PACKET = 128 << 10;

  private final PacketEncoder packet;
  private final PacketFile file;
  private LongUnaryOperator clocks = LongUnaryOperator.identity();
  private long clock;
  private int thread;

  private PacketWriter(Path path, UUID uuid, int streamClass, int process, int ring) {
    this.packet = new PacketEncoder(uuid, streamClass, process, ring, PACKET);
    this.file = new PacketFile(path, packet);
  }

  /** Converts the clocks of what is written from now on; later ones must not become earlier. */
  PacketWriter converting(LongUnaryOperator conversion) {
    clocks = conversion;
    return this;
  }

  /** A clock as it is written. */
  private long written(long at) {
    clock = at;
    return clocks.applyAsLong(at);
  }

  static PacketWriter definitions(Path path, UUID uuid, int process) {
    return definitions(path, uuid, process, 0);
  }

  static PacketWriter definitions(Path path, UUID uuid, int process, int instance) {
    return new PacketWriter(path, uuid, StreamClass.DEFINITIONS, process, instance);
  }

  static PacketWriter counts(Path path, UUID uuid, int process) {
    return new PacketWriter(path, uuid, StreamClass.COUNTS, process, 0);
  }

  static PacketWriter threads(Path path, UUID uuid, int process, int ring) {
    return new PacketWriter(path, uuid, StreamClass.THREADS, process, ring);
  }

  /** Clock of the last record, or of the last empty packet; 0 = nothing was written. */
  long clock() {
    return clock;
  }

  /** Begins a packet whose records belong to a thread. */
  void owner(int owner) throws IOException {
    file.flush();
    thread = owner;
  }

  /** Whether records written now, without a switch, would be those of another thread. */
  boolean belongsToOther(int other) {
    return thread != other;
  }

  /** A record of a thread stream. */
  void event(long at, int id, int payload) throws IOException {
    room(at, ThreadRecord.EXTENDED_SIZE);
    packet.record(written(at), id, payload);
    if (id == ThreadRecord.SWITCH) {
      thread = payload;
    }
  }

  /** A detail, with what follows its word. */
  void detail(long at, long detail) throws IOException {
    room(at, ThreadRecord.EXTENDED_SIZE + ThreadRecord.DETAIL_SIZE);
    packet.record(written(at), ThreadRecord.DETAIL, 0, detail);
  }

  /** An event of the program's own with its argument. */
  void event(long at, int event, long argument) throws IOException {
    room(at, ThreadRecord.EXTENDED_SIZE + ThreadRecord.ARGUMENT_SIZE);
    packet.record(written(at), ThreadRecord.EVENT, event, argument);
  }

  /** An event of the program's own with its data. */
  void event(long at, int event, ByteBuffer data) throws IOException {
    byte[] bytes = new byte[data.remaining()];
    data.get(bytes);
    int size = ThreadRecord.DATA_HEADER_SIZE + ThreadRecord.dataSize(bytes.length);
    room(at, ThreadRecord.EXTENDED_SIZE + size);
    packet.data(written(at), event, bytes);
  }

  void count(long at, CountRecord count) throws IOException {
    room(at, CountRecord.MAX_SIZE);
    packet.count(written(at), count);
  }

  void definition(long at, Definition definition) throws IOException {
    room(at, DefinitionCodec.MAX_SIZE);
    packet.definition(written(at), definition);
  }

  /** Writes a packet without records: nothing happened until then. */
  void empty(long at) throws IOException {
    file.flush();
    packet.open(written(at), thread);
    file.flush();
  }

  /** Events are missing before the next packet, nobody knows how many if negative. */
  void lose(long events) throws IOException {
    file.flush();
    if (events < 0) {
      packet.skip(1);
    } else {
      packet.lose(events);
    }
  }

  void flush() throws IOException {
    file.flush();
  }

  private void room(long at, int size) throws IOException {
    if (!file.isOpenFor(size)) {
      packet.open(written(at), thread);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
