package dev.kymo.drain;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.StreamClass;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The stream of a ring on disk: one file, or {@link Segments} that each count packets and losses
 * from their own beginning.
 */
final class RingStream implements AutoCloseable {
  private final RingMemory memory;
  private final UUID uuid;
  private final int process;
  private final Segments segments;

  /** Path without the suffix of a segment. */
  private final Path stream;

  private Path path;
  private StreamFile file;
  private int generation;

  /** Packets, and lost events, before the segment's first packet. */
  private long packetsBefore;

  private long lostBefore;
  private boolean failed;

  /** Opens the newest file of a ring's stream. */
  RingStream(RingMemory memory, Path directory, UUID uuid, int process, Segments segments)
      throws IOException {
    this.memory = memory;
    this.uuid = uuid;
    this.process = process;
    this.segments = segments;
    String name =
        memory.streamClass == StreamClass.DEFINITIONS
            ? "p" + process + "-definitions"
            : "p" + process + "-ring-" + memory.ring;
    this.stream = directory.resolve(name);
    this.path = isSegmented() ? segments.file(stream) : Segments.newest(stream);
    this.generation = segments.generation();
    this.file = new StreamFile(path);
  }

  /**
   * Goes on where a killed drainer was.
   *
   * @param packet the first packet that the ring says is not taken
   * @return the packet that is to be taken next
   */
  long goOn(long packet) {
    if (!path.equals(stream)) {
      goOnInSegment(packet);
      return packet;
    }
    return memory.streamClass == StreamClass.DEFINITIONS ? packet : goOnInStream(packet);
  }

  /** If the ring still has the last packet of the file, that packet may have been open. */
  private long goOnInStream(long packet) {
    if (file.nextPacket() == packet + 1 && !memory.overwrite) {
      return packet;
    }
    file.closePacket();
    return Math.max(file.nextPacket(), packet);
  }

  /** As {@link #goOnInStream}, where the file counts packets and losses from its own beginning. */
  private void goOnInSegment(long packet) {
    boolean open = file.open() > 0 && isInFile(packet);
    if (!open) {
      file.closePacket();
    }
    packetsBefore = packet + (open ? 1 : 0) - file.nextPacket();
    long last = packet - (open ? 0 : 1);
    if (file.nextPacket() > 0 && last >= 0) {
      lostBefore = memory.bytes.getLong(memory.slot(last) + PacketLayout.LOST_OFFSET) - file.lost();
    }
  }

  /** Whether the ring's packet with a number is the last one of the file. */
  private boolean isInFile(long packet) {
    int at = memory.slot(packet);
    return memory.bytes.getLong(at + PacketLayout.SEQUENCE_OFFSET) == packet
        && memory.bytes.getLong(at + PacketLayout.BEGIN_OFFSET) == file.lastBegin();
  }

  /** Bytes of the open packet in the file; 0 = no packet is open. */
  int open() {
    return file.open();
  }

  long lastClock() {
    return file.lastClock();
  }

  void appendFromRing(ByteBuffer packet) throws IOException {
    append(inSegment(packet));
  }

  /** Returns a packet as if the segment were the whole stream. */
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

  /** Appends a packet that {@link #newPacket} made. */
  void append(ByteBuffer packet) throws IOException {
    if (!failed) {
      file.append(packet);
    }
  }

  /** Makes the stream's next packet, without records. */
  ByteBuffer newPacket(int size, long begin, long end, long lost) {
    ByteBuffer packet = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    PacketLayout.open(packet, 0, uuid, memory.streamClass, process, memory.ring);
    PacketLayout.begin(packet, 0, begin, lost, file.nextPacket(), 0);
    PacketLayout.close(packet, 0, end, size);
    return packet;
  }

  /** Adds records to the open packet, as {@link StreamFile#grow} does. */
  void grow(ByteBuffer header, ByteBuffer records) throws IOException {
    if (!failed) {
      renumber(header);
      file.grow(header, records);
    }
  }

  void closePacket() {
    file.closePacket();
  }

  /**
   * Ends the stream; returns the bytes written.
   *
   * @param lost all events that the ring has lost
   */
  int end(long lost) throws IOException {
    file.trimPacket();
    if (lost - lostBefore <= file.lost()) {
      return 0;
    }
    append(lossOnly(lost - lostBefore));
    return PacketLayout.HEADER_SIZE;
  }

  /** Ends the stream with a loss of unknown size. */
  void endDamaged() throws IOException {
    if (!failed) {
      file.trimPacket();
      ByteBuffer loss = lossOnly(file.lost());
      loss.putLong(PacketLayout.SEQUENCE_OFFSET, file.nextPacket() + 1); // one is missing
      append(loss);
    }
  }

  private ByteBuffer lossOnly(long lost) {
    return newPacket(PacketLayout.HEADER_SIZE, file.lastClock(), file.lastClock(), lost);
  }

  /** Writes nothing from now on. */
  void giveUp() {
    failed = true;
  }

  /** Counts the bytes of a closed packet towards the size of all segments. */
  void count(long bytes) {
    segments.wrote(bytes);
  }

  /** Whether the next packet belongs into a new segment. */
  boolean isSegmentOver() {
    return isSegmented() && generation != segments.generation();
  }

  private boolean isSegmented() {
    return segments.areBounded() && memory.streamClass == StreamClass.THREADS && !memory.overwrite;
  }

  /** Whether the stream is being written to this file. */
  boolean isIn(Path other) {
    return path.equals(other);
  }

  /** Goes on in a file of its own, from this packet on. */
  void nextSegment(long packet) throws IOException {
    lostBefore += file.lost();
    packetsBefore = packet;
    file.dropPacket(); // the next file gets it, if there is one
    file.close();
    generation = segments.generation();
    path = segments.file(stream);
    file = new StreamFile(path);
  }

  /**
   * Copies the packets of a flight recorder to another directory, as they are now. Returns the
   * first clock of what was copied, or {@link Long#MAX_VALUE}.
   */
  long copyTo(Path directory) throws IOException {
    return new RingCopy(memory.bytes).writeTo(directory.resolve(stream.getFileName()));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
