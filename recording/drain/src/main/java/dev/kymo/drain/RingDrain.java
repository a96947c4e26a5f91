package dev.kymo.recorder.drain;

import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The reading side of a ring ({@link RingLayout}). Trusts nothing that the recorded process could
 * have overwritten: a position that cannot be, or a packet that is not the one that must come now,
 * is a {@link DamagedMemoryException}, after which {@link #giveUpDamaged} ends the stream. A packet
 * with an impossible size is taken with what its room holds.
 */
final class RingDrain implements AutoCloseable {
  private final RingMemory ringMemory;

  /** Its bytes. */
  private final ByteBuffer memory;

  private final UUID uuid;
  private final int ring;
  private final int process;
  private final int streamClass;
  private final int subBufferSize;
  private final int subBuffers;
  private final boolean overwrite;
  private final Segments segments;

  /** Without what tells segments apart. */
  private final Path stream;

  private Path path;
  private StreamFile file;
  private int generation;

  /** Packets, and lost events, before the segment's first packet. */
  private long packetsBefore;

  private long lostBefore;
  private long taken;
  private long seen;

  /** Bytes of the open packet that are taken. */
  private int partial;

  /** Clock of the last record taken from the open packet. */
  private long partialClock;

  private boolean failed;
  private boolean damaged;

  private RingDrain(
      RingMemory ringMemory, Path directory, UUID uuid, int process, Segments segments)
      throws IOException {
    this.segments = segments;
    this.ringMemory = ringMemory;
    this.memory = ringMemory.bytes;
    this.uuid = uuid;
    this.ring = ringMemory.ring;
    this.process = process;
    this.streamClass = ringMemory.streamClass;
    this.subBufferSize = ringMemory.subBufferSize;
    this.subBuffers = ringMemory.subBuffers;
    this.overwrite = ringMemory.overwrite;
    String name =
        streamClass == StreamClass.DEFINITIONS
            ? "p" + process + "-definitions"
            : "p" + process + "-ring-" + ring;
    this.stream = directory.resolve(name);
    this.path = isSegmented() ? segments.file(stream) : Segments.newest(stream);
    this.generation = segments.generation();
    this.file = new StreamFile(path);
    long taken = ringMemory.taken();
    if (!path.equals(stream)) {
      this.taken = goOnInSegment(taken);
    } else {
      this.taken = streamClass == StreamClass.DEFINITIONS ? taken : goOn(taken);
    }
  }

  /**
   * Goes on where a killed drainer was. If the ring still has the last packet of the file, that one
   * may have been open.
   */
  private long goOn(long packet) {
    if (file.nextPacket() == packet + 1 && !overwrite) {
      partial = file.open();
      partialClock = file.lastClock();
      return packet;
    }
    file.closePacket();
    return Math.max(file.nextPacket(), packet);
  }

  /** As {@link #goOn}, where the file counts packets and losses from its own begin. */
  private long goOnInSegment(long packet) {
    boolean open = file.open() > 0 && isInFile(packet);
    if (open) {
      partial = file.open();
      partialClock = file.lastClock();
    } else {
      file.closePacket();
    }
    packetsBefore = packet + (open ? 1 : 0) - file.nextPacket();
    long last = packet - (open ? 0 : 1);
    if (file.nextPacket() > 0 && last >= 0) {
      lostBefore = memory.getLong(ringMemory.slot(last) + PacketLayout.LOST_OFFSET) - file.lost();
    }
    return packet;
  }

  /** Whether the ring's packet with a number is the last one of the file. */
  private boolean isInFile(long packet) {
    int at = ringMemory.slot(packet);
    return memory.getLong(at + PacketLayout.SEQUENCE_OFFSET) == packet
        && memory.getLong(at + PacketLayout.BEGIN_OFFSET) == file.lastBegin();
  }

  /** Opens a ring; null as long as it is not complete. */
  static @Nullable RingDrain open(
      Home home, Path directory, UUID uuid, int process, int ring, Segments segments)
      throws IOException, DamagedMemoryException {
    RingMemory memory = RingMemory.open(home, ring);
    return memory == null ? null : new RingDrain(memory, directory, uuid, process, segments);
  }

  /**
   * Notes how far the ring is filled; {@link #take} goes no further. Returns whether it fills so
   * fast that more than one packet was closed since the last time.
   */
  boolean look() throws DamagedMemoryException {
    if (damaged) {
      ringMemory.letGoOn();
      return false;
    }
    seen = ringMemory.position(seen, taken);
    if (!overwrite && ringMemory.taken() != taken) {
      ringMemory.taken(taken); // overwritten: the program waits for it
    }
    return !overwrite && seen / subBufferSize - taken > 1;
  }

  /**
   * What comes from this ring cannot be believed any more: ends the stream with a loss of unknown
   * size. The program goes on and does not wait.
   */
  void giveUpDamaged() throws IOException {
    damaged = true;
    if (!failed) {
      file.trimPacket();
      ByteBuffer loss = lossOnly(file.lost());
      loss.putLong(PacketLayout.SEQUENCE_OFFSET, file.nextPacket() + 1); // one is missing
      append(loss);
    }
    giveUp();
    ringMemory.letGoOn();
  }

  /**
   * Takes the closed packets, or all definitions; returns the bytes taken. Those of the open packet
   * count when it is closed.
   *
   * @param everything whether to write what the open packet has as well
   */
  long take(boolean everything) throws IOException, DamagedMemoryException {
    if (damaged) {
      return 0;
    }
    if (streamClass == StreamClass.DEFINITIONS) {
      return takeDefinitions(ringMemory.position(seen, taken));
    }
    if (overwrite) {
      return 0;
    }
    long bytes = takeUntil(seen / subBufferSize);
    if (everything) {
      takeOpen(seen);
    }
    return bytes;
  }

  /**
   * Takes everything, the open packet and late losses included. The recorded process must have
   * ended, or have stopped recording.
   */
  long finish() throws IOException, DamagedMemoryException {
    if (damaged) {
      return 0;
    }
    long position = ringMemory.position(seen, taken);
    if (streamClass == StreamClass.DEFINITIONS) {
      return takeDefinitions(position);
    }
    long lost = ringMemory.lost();
    long open = position / subBufferSize;
    if (overwrite) {
      keepNewest(open, position % subBufferSize > 0, lost);
    }
    long bytes = takeUntil(open);
    takeOpen(position);
    bytes += partial; // of the open packet, which may have been taken before
    file.trimPacket();
    if (lost - lostBefore > file.lost()) {
      append(lossOnly(lost - lostBefore));
    }
    return bytes;
  }

  /**
   * Writes the packets of a flight recorder as they are now into a directory, without those that
   * are overwritten meanwhile. Changes nothing: the program goes on.
   */
  void copyTo(Path directory) throws IOException {
    if (overwrite && !damaged && streamClass != StreamClass.DEFINITIONS) {
      new RingCopy(memory).writeTo(directory.resolve("p" + process + "-ring-" + ring));
    }
  }

  /** Drops what could not be written from now on, so that the program does not wait. */
  void giveUp() {
    failed = true;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private long takeUntil(long closed) throws IOException, DamagedMemoryException {
    long bytes = 0;
    while (taken < closed) {
      ringMemory.check(uuid, taken);
      int at = ringMemory.slot(taken);
      long size = memory.getLong(at + PacketLayout.PACKET_SIZE_OFFSET) / 8;
      if (size < PacketLayout.HEADER_SIZE || size > subBufferSize) {
        size = subBufferSize;
        PacketLayout.close(memory, at, memory.getLong(at + PacketLayout.BEGIN_OFFSET), (int) size);
      }
      if (partial == 0) {
        append(inSegment(ringMemory.slice(at, (int) size)));
      } else {
        grow((int) size, memory.getLong(at + PacketLayout.END_OFFSET));
        file.closePacket();
        partial = 0;
      }
      bytes += size;
      segments.wrote(size);
      taken++;
      ringMemory.taken(taken);
      if (isSegmented() && generation != segments.generation()) {
        nextSegment();
      }
    }
    return bytes;
  }

  /** Which ring of its process it is. */
  int number() {
    return ring;
  }

  private boolean isSegmented() {
    return segments.areBounded() && streamClass == StreamClass.THREADS && !overwrite;
  }

  /** Goes on in a file of its own, from the next packet on. */
  private void nextSegment() throws IOException {
    lostBefore += file.lost();
    packetsBefore = taken;
    file.close();
    generation = segments.generation();
    path = segments.file(stream);
    file = new StreamFile(path);
  }

  /**
   * Leaves a file that is to be deleted, if it is in use: what is in the open packet is written
   * again, elsewhere.
   */
  void leave(Path expired) throws IOException {
    if (path.equals(expired)) {
      partial = 0;
      nextSegment();
    }
  }

  /** A packet as if the segment were all there is of the stream. */
  private ByteBuffer inSegment(ByteBuffer packet) {
    if (packetsBefore == 0 && lostBefore == 0) {
      return packet;
    }
    ByteBuffer own = ByteBuffer.allocate(packet.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    own.put(packet).flip();
    renumber(own);
    return own;
  }

  private void renumber(ByteBuffer header) {
    long number = header.getLong(PacketLayout.SEQUENCE_OFFSET);
    header.putLong(PacketLayout.SEQUENCE_OFFSET, number - packetsBefore);
    long lost = header.getLong(PacketLayout.LOST_OFFSET);
    header.putLong(PacketLayout.LOST_OFFSET, Math.max(0, lost - lostBefore));
  }

  /** Takes what the open packet has more than last time. */
  private void takeOpen(long position) throws IOException, DamagedMemoryException {
    int used = (int) (position % subBufferSize);
    if (taken != position / subBufferSize || used <= Math.max(partial, PacketLayout.HEADER_SIZE)) {
      return;
    }
    ringMemory.check(uuid, taken);
    int at = ringMemory.slot(taken);
    boolean first = partial <= PacketLayout.HEADER_SIZE;
    partialClock =
        lastClock(
            ringMemory.slice(at, used),
            first ? PacketLayout.HEADER_SIZE : partial,
            first ? memory.getLong(at + PacketLayout.BEGIN_OFFSET) : partialClock);
    grow(used, partialClock);
  }

  /** Has the open packet's first {@code used} bytes in the file. */
  private void grow(int used, long end) throws IOException {
    int at = ringMemory.slot(taken);
    int from = Math.max(partial, PacketLayout.HEADER_SIZE);
    if (used > from && !failed) {
      ByteBuffer header = ringMemory.copy(at, PacketLayout.HEADER_SIZE);
      PacketLayout.close(header, 0, end, used);
      header.putLong(PacketLayout.PACKET_SIZE_OFFSET, subBufferSize * 8L);
      renumber(header);
      file.grow(header, ringMemory.slice(at + from, used - from));
    }
    partial = Math.max(partial, used);
  }

  /**
   * Takes definitions as they come, in packets of their own: so they are on disk before the events
   * that use them, whatever happens then.
   */
  private long takeDefinitions(long position) throws IOException {
    long bytes = 0;
    while (true) {
      int at = ringMemory.slot(taken);
      boolean closed = position / subBufferSize > taken;
      int end =
          closed
              ? (int)
                  Math.min(memory.getLong(at + PacketLayout.PACKET_SIZE_OFFSET) / 8, subBufferSize)
              : (int) (position % subBufferSize);
      int from = Math.max(partial, PacketLayout.HEADER_SIZE);
      if (end > from) {
        bytes += appendDefinitions(memory.slice(at + from, end - from));
        partial = end;
      }
      if (!closed) {
        return bytes;
      }
      partial = 0;
      taken++;
      ringMemory.taken(taken);
    }
  }

  private long appendDefinitions(ByteBuffer records) throws IOException {
    records.order(ByteOrder.LITTLE_ENDIAN);
    long first = -1;
    long last = -1;
    int begin = 0;
    try {
      while (records.hasRemaining()) {
        int at = records.position();
        long clock = records.getLong(at + 5);
        if (first < 0 && clock > file.lastClock()) { // else a killed drainer has taken it already
          first = clock;
          begin = at;
        }
        last = clock;
        records.position(at + DefinitionCodec.HEADER_SIZE);
        DefinitionCodec.skip(records, records.getInt(at + 1));
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
      records.position(records.limit()); // damaged: as it is, readers say where
    }
    if (first < 0) {
      return 0;
    }
    int size = PacketLayout.HEADER_SIZE + records.limit() - begin;
    ByteBuffer packet = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    PacketLayout.open(packet, 0, uuid, streamClass, process, ring);
    PacketLayout.begin(packet, 0, first, 0, file.nextPacket(), 0);
    PacketLayout.close(packet, 0, last, size);
    packet.put(PacketLayout.HEADER_SIZE, records, begin, records.limit() - begin);
    append(packet);
    return size;
  }

  private void append(ByteBuffer packet) throws IOException {
    if (!failed) {
      file.append(packet);
    }
  }

  /** In a flight recorder all losses lie before the oldest packet that is left. */
  private void keepNewest(long open, boolean isOpen, long lost) {
    long oldest = Math.max(0, open - subBuffers + (isOpen ? 1 : 0));
    taken = Math.max(taken, oldest);
    for (long packet = taken; packet < open || (packet == open && isOpen); packet++) {
      memory.putLong(ringMemory.slot(packet) + PacketLayout.LOST_OFFSET, lost);
    }
  }

  private ByteBuffer lossOnly(long lost) {
    ByteBuffer packet =
        ByteBuffer.allocate(PacketLayout.HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    PacketLayout.open(packet, 0, uuid, streamClass, process, ring);
    long clock = file.lastClock();
    PacketLayout.begin(packet, 0, clock, lost, file.nextPacket(), 0);
    PacketLayout.close(packet, 0, clock, PacketLayout.HEADER_SIZE);
    return packet;
  }

  /** Clock of the last record of a packet that nobody closed, read from some record on. */
  static long lastClock(ByteBuffer packet, int from, long before) {
    long clock = before;
    int at = from;
    while (at + ThreadRecord.COMPACT_SIZE <= packet.limit()) {
      long word = packet.getLong(at);
      int id = ThreadRecord.id(word);
      if (id != ThreadRecord.EXTENDED) {
        clock = ThreadRecord.clock(clock, ThreadRecord.clockLow(word));
        at += ThreadRecord.COMPACT_SIZE;
      } else if (at + ThreadRecord.EXTENDED_SIZE <= packet.limit()) {
        id = ThreadRecord.extendedId(word);
        clock = ThreadRecord.extendedClock(word, packet.getLong(at + 8));
        at += ThreadRecord.EXTENDED_SIZE;
      } else {
        break;
      }
      at += behindWord(packet, at, id);
    }
    return clock;
  }

  private static int behindWord(ByteBuffer packet, int at, int id) {
    if (id == ThreadRecord.EVENT_DATA && at + ThreadRecord.DATA_HEADER_SIZE <= packet.limit()) {
      return ThreadRecord.sizeBehindWord(packet.getLong(at));
    }
    boolean bare = id < ThreadRecord.DETAIL || id >= ThreadRecord.ID_COUNT;
    return bare ? 0 : ThreadRecord.DETAIL_SIZE;
  }
}
