package dev.kymo.analysis.slice;

import dev.kymo.format.CountRecord;
import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes one stream of a recording; its file is made with the first packet. */
final class PacketWriter implements AutoCloseable {
  private static final int PACKET = 128 << 10;

  private final Path path;
  private final UUID uuid;
  private final int streamClass;
  private final int process;
  private final int ring;
  private final ByteBuffer packet = ByteBuffer.allocate(PACKET).order(ByteOrder.LITTLE_ENDIAN);
  private @Nullable FileChannel file;
  private boolean open;
  private int thread;
  private long clock;
  private long lost;
  private long sequence;

  private PacketWriter(Path path, UUID uuid, int streamClass, int process, int ring) {
    this.path = path;
    this.uuid = uuid;
    this.streamClass = streamClass;
    this.process = process;
    this.ring = ring;
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
    close(false);
    thread = owner;
  }

  /** Whether records written now, without a switch, would be those of another thread. */
  boolean belongsToOther(int other) {
    return thread != other;
  }

  /** A record of a thread stream. */
  void event(long at, int id, int payload) throws IOException {
    room(at, ThreadRecord.EXTENDED_SIZE);
    if (at >>> 32 == clock >>> 32) {
      packet.putLong(ThreadRecord.compact(id, at, payload));
    } else {
      packet.putLong(ThreadRecord.extendedFirst(id, at));
      packet.putLong(ThreadRecord.extendedSecond(at, payload));
    }
    if (id == ThreadRecord.SWITCH) {
      thread = payload;
    }
    clock = at;
  }

  /** A detail, with what follows its word. */
  void detail(long at, long detail) throws IOException {
    room(at, ThreadRecord.EXTENDED_SIZE + ThreadRecord.DETAIL_SIZE);
    event(at, ThreadRecord.DETAIL, 0);
    packet.putLong(detail);
  }

  /** An event of the program's own with its argument. */
  void event(long at, int event, long argument) throws IOException {
    room(at, ThreadRecord.EXTENDED_SIZE + ThreadRecord.ARGUMENT_SIZE);
    event(at, ThreadRecord.EVENT, event);
    packet.putLong(argument);
  }

  /** An event of the program's own with its data. */
  void event(long at, int event, ByteBuffer data) throws IOException {
    int length = data.remaining();
    int size = ThreadRecord.dataSize(length);
    room(at, ThreadRecord.EXTENDED_SIZE + ThreadRecord.DATA_HEADER_SIZE + size);
    event(at, ThreadRecord.EVENT_DATA, event);
    packet.putLong(ThreadRecord.dataHeader(length)).put(data);
    for (int i = length; i < size; i++) {
      packet.put((byte) 0);
    }
  }

  void count(long at, CountRecord count) throws IOException {
    room(at, CountRecord.MAX_SIZE);
    count.put(packet, at);
    clock = at;
  }

  void definition(long at, Definition definition) throws IOException {
    room(at, DefinitionCodec.MAX_SIZE);
    DefinitionCodec.put(packet, at, definition);
    clock = at;
  }

  /** Writes a packet without records: nothing happened until then. */
  void empty(long at) throws IOException {
    close(false);
    begin(at);
    close(false);
  }

  /** Events are missing before the next packet, nobody knows how many if negative. */
  void lose(long events) throws IOException {
    close(false);
    if (events < 0) {
      sequence++;
    } else {
      lost += events;
    }
  }

  private void room(long at, int size) throws IOException {
    if (open && packet.remaining() < size) {
      close(false);
    }
    if (!open) {
      begin(at);
    }
  }

  private void begin(long at) {
    packet.clear();
    PacketLayout.open(packet, 0, uuid, streamClass, process, ring);
    PacketLayout.begin(packet, 0, at, lost, sequence++, thread);
    packet.position(PacketLayout.HEADER_SIZE);
    clock = at;
    open = true;
  }

  private void close(boolean last) throws IOException {
    try {
      if (open) {
        PacketLayout.close(packet, 0, clock, packet.position());
        append(packet.flip());
        open = false;
      }
      if (last && file != null) {
        file.close();
      }
    } catch (IOException e) {
      throw new IOException(
          "cannot write: file=%s error=\"%s\"".formatted(path, e.getMessage()), e);
    }
  }

  private void append(ByteBuffer bytes) throws IOException {
    FileChannel to = file;
    if (to == null) {
      to = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      file = to;
    }
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    close(true);
  }
}
