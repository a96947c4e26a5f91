package dev.kymo.drain;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingLayout;
import dev.kymo.format.StreamClass;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The reading side of a ring ({@link RingLayout}). It trusts nothing that the recorded process
 * could have overwritten: an impossible position, or a packet other than the next one, is a {@link
 * DamagedMemoryException}, after which {@link #giveUpDamaged} ends the stream. Of a packet with an
 * impossible size it takes the whole room.
 */
final class RingDrain implements AutoCloseable {
  private final RingMemory ringMemory;

  private final ByteBuffer memory;

  private final UUID uuid;
  private final int subBufferSize;
  private final boolean overwrite;
  private final RingStream stream;
  private final OpenPacket openPacket;
  private final DefinitionPackets definitions;
  private final int process;
  private @Nullable RingTap tap;

  /** Packets that were taken. */
  private long taken;

  /** The thread's position at the last look. */
  private long seen;

  private long written;

  private boolean damaged;

  private RingDrain(
      RingMemory ringMemory,
      Output output,
      int process,
      RingStream stream,
      @Nullable OuterNumbers numbers) {
    this.ringMemory = ringMemory;
    this.process = process;
    this.memory = ringMemory.bytes;
    this.uuid = output.uuid();
    this.subBufferSize = ringMemory.subBufferSize;
    this.overwrite = ringMemory.overwrite;
    this.stream = stream;
    this.taken = stream.goOn(ringMemory.taken());
    this.openPacket = new OpenPacket(ringMemory, uuid, stream);
    this.definitions = new DefinitionPackets(ringMemory, stream, numbers, output.redaction());
  }

  /**
   * Opens a ring; returns null as long as it is not complete.
   *
   * @param numbers replaces the numbers in definitions; null if they hold here
   */
  static @Nullable RingDrain open(
      Home home, Output output, int process, int ring, @Nullable OuterNumbers numbers)
      throws IOException, DamagedMemoryException {
    RingMemory memory = RingMemory.open(home, ring);
    return memory == null
        ? null
        : new RingDrain(
            memory,
            output,
            process,
            new RingStream(memory, output.recording(), output.uuid(), process, output.segments()),
            numbers);
  }

  /** The ring's number in its process. */
  int number() {
    return ringMemory.ring;
  }

  /**
   * Notes how far the ring is filled; {@link #take} goes no further. Returns whether more than one
   * packet was closed since the last look.
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
   * Takes the closed packets, or all definitions; returns the bytes taken. Those of the open packet
   * count when it is closed.
   *
   * @param everything whether to write the records of the open packet too
   */
  long take(boolean everything) throws IOException, DamagedMemoryException {
    if (damaged) {
      return 0;
    }
    if (hasDefinitions()) {
      return takeDefinitions(ringMemory.position(seen, taken));
    }
    if (overwrite) {
      return 0;
    }
    long bytes = takeUntil(seen / subBufferSize);
    if (everything) {
      takeOpen(seen);
      written = seen;
    }
    return bytes;
  }

  /** Bytes of records that {@link #look} saw, and that are in no file yet. */
  long unwritten() {
    return damaged || overwrite || hasDefinitions()
        ? 0
        : seen - Math.max(written, taken * subBufferSize);
  }

  /**
   * Takes everything, including the open packet and late losses. The recorded process must have
   * ended, or have stopped recording.
   */
  long finish() throws IOException, DamagedMemoryException {
    if (damaged) {
      return 0;
    }
    long position = ringMemory.position(seen, taken);
    if (hasDefinitions()) {
      return takeDefinitions(position);
    }
    long lost = ringMemory.lost();
    long open = position / subBufferSize;
    if (overwrite) {
      keepNewest(open, position % subBufferSize > 0, lost);
    }
    long bytes = takeUntil(open);
    takeOpen(position);
    bytes += openPacket.taken(); // they may have been taken earlier
    return bytes + stream.end(lost);
  }

  /**
   * Writes the packets of a flight recorder as they are now into a directory, without those that
   * are overwritten during the copy. Changes nothing: the program goes on. Returns the first clock
   * of what was copied, or {@link Long#MAX_VALUE}.
   */
  long copyTo(Path directory) throws IOException {
    // a ring of definitions never overwrites
    return overwrite && !damaged ? stream.copyTo(directory) : Long.MAX_VALUE;
  }

  /** Passes on the records of a flight recorder that are new, as far as {@link #look} saw them. */
  void tap(RecordWatch watch) throws DamagedMemoryException {
    if (!overwrite || damaged) {
      return;
    }
    if (tap == null) {
      tap = new RingTap(ringMemory, process);
    }
    tap.take(seen, watch);
  }

  /**
   * Ends the stream with a loss of unknown size, because the ring's memory cannot be trusted any
   * more. The program goes on and does not wait.
   */
  void giveUpDamaged() throws IOException {
    damaged = true;
    stream.endDamaged();
    giveUp();
    ringMemory.letGoOn();
  }

  /** Drops everything that could not be written, so that the program does not wait. */
  void giveUp() {
    stream.giveUp();
  }

  /**
   * Leaves a file that will be deleted, if it is in use: the next file gets the open packet again
   * from its beginning.
   */
  void leave(Path expired) throws IOException {
    if (stream.isIn(expired)) {
      openPacket.forget();
      stream.nextSegment(taken);
    }
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }

  /** Whether it has definitions, not what threads did. */
  boolean hasDefinitions() {
    return ringMemory.streamClass == StreamClass.DEFINITIONS;
  }

  private long takeUntil(long closed) throws IOException, DamagedMemoryException {
    long bytes = 0;
    while (taken < closed) {
      ringMemory.check(uuid, taken);
      int size = takeClosed(ringMemory.slot(taken));
      bytes += size;
      stream.count(size);
      release();
      if (stream.isSegmentOver()) {
        stream.nextSegment(taken);
      }
    }
    return bytes;
  }

  /** Takes a closed packet, or its rest; returns its bytes in the file. */
  private int takeClosed(int at) throws IOException {
    long size = memory.getLong(at + PacketLayout.PACKET_SIZE_OFFSET) / 8;
    if (size < PacketLayout.HEADER_SIZE || size > subBufferSize) {
      size = subBufferSize;
      PacketLayout.close(memory, at, memory.getLong(at + PacketLayout.BEGIN_OFFSET), (int) size);
    }
    if (openPacket.taken() == 0) {
      stream.appendFromRing(ringMemory.slice(at, (int) size));
      return (int) size;
    }
    openPacket.close(at, (int) size);
    return subBufferSize; // a packet that was open keeps its room
  }

  /** Counts a packet as taken: the thread can use its room again. */
  private void release() {
    taken++;
    ringMemory.taken(taken);
  }

  private void takeOpen(long position) throws IOException, DamagedMemoryException {
    if (taken == position / subBufferSize) {
      openPacket.take(taken, (int) (position % subBufferSize));
    }
  }

  private long takeDefinitions(long position) throws IOException {
    long bytes = 0;
    while (taken < position / subBufferSize) {
      bytes += definitions.takeClosed(taken);
      release();
    }
    return bytes + definitions.takeOpen(taken, (int) (position % subBufferSize));
  }

  /** In a flight recorder all losses lie before the oldest packet that is left. */
  private void keepNewest(long open, boolean isOpen, long lost) {
    long oldest = Math.max(0, open - ringMemory.subBuffers + (isOpen ? 1 : 0));
    taken = Math.max(taken, oldest);
    for (long packet = taken; packet < open || (packet == open && isOpen); packet++) {
      memory.putLong(ringMemory.slot(packet) + PacketLayout.LOST_OFFSET, lost);
    }
  }
}
