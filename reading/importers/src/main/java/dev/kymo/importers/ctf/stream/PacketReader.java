package dev.kymo.importers.ctf.stream;

import dev.kymo.importers.ctf.type.Role;
import dev.kymo.importers.target.ForeignException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads the packets of one file, one after the other; a part of a packet is in memory. */
final class PacketReader implements AutoCloseable {
  private static final int WINDOW = 128 * 1024;

  /** Events near the window's end have it moved before they are read. */
  private static final int ALMOST = 4 * 1024;

  private static final int LARGEST_EVENT = 64 * 1024 * 1024;
  private static final long MAGIC = 0xC1FC1FC1L;

  private final Path path;
  private final TraceProgram trace;
  private final Cursor cursor;
  private final FileChannel file;
  private final long size;
  private StreamProgram program;
  private long next;
  private boolean sized;

  PacketReader(Path path, TraceProgram trace) throws IOException {
    this.path = path;
    this.trace = trace;
    this.program = trace.any();
    this.cursor = new Cursor(path, trace.slots());
    this.file = FileChannel.open(path, StandardOpenOption.READ);
    this.size = file.size();
  }

  Cursor cursor() {
    return cursor;
  }

  StreamProgram program() {
    return program;
  }

  /** What the packet's stream is told by, among those of the trace. */
  String stream() {
    return trace.any().has(Role.STREAM)
        ? program.stream().id() + " " + cursor.numbers[Role.STREAM.slot()]
        : String.valueOf(path);
  }

  long size() {
    return size;
  }

  /** Bytes of the file that have been read. */
  long done() {
    return Math.min(size, cursor.packet + (cursor.position >>> 3));
  }

  /** Goes to the next packet and reads its header; false at the end of the file. */
  boolean nextPacket() throws IOException {
    if (next >= size) {
      return false;
    }
    cursor.packet = next;
    cursor.position = 0;
    cursor.end = (size - next) * Byte.SIZE;
    long clock = cursor.clock;
    load(0, WINDOW);
    while (true) {
      try {
        header();
        break;
      } catch (Cursor.MoreNeeded e) {
        cursor.position = 0;
        cursor.clock = clock;
        grow();
      }
    }
    sizes();
    return true;
  }

  private void header() throws ForeignException {
    long[] numbers = cursor.numbers;
    run(trace.any().packetHeader);
    if (trace.any().has(Role.MAGIC) && numbers[Role.MAGIC.slot()] != MAGIC) {
      cursor.position = 0;
      String magic = "magic=0x" + Long.toHexString(numbers[Role.MAGIC.slot()]);
      throw cursor.problem("no packet of a stream", magic);
    }
    program = stream(numbers[Role.STREAM_CLASS.slot()]);
    run(program.packetContext);
  }

  private StreamProgram stream(long id) throws ForeignException {
    if (!trace.any().has(Role.STREAM_CLASS)) {
      if (trace.isOne()) {
        return trace.any();
      }
      throw cursor.problem("packet does not say which of several streams it is of", "");
    }
    StreamProgram known = trace.stream(id);
    if (known == null) {
      throw cursor.problem("packet is of an unknown stream", "stream=" + id);
    }
    return known;
  }

  private void sizes() throws ForeignException {
    long read = cursor.position;
    long left = cursor.end;
    boolean packetKnown = program.has(Role.PACKET_SIZE);
    boolean contentKnown = program.has(Role.CONTENT_SIZE);
    long packet = cursor.numbers[Role.PACKET_SIZE.slot()];
    long content = cursor.numbers[Role.CONTENT_SIZE.slot()];
    if (!packetKnown) {
      packet = contentKnown ? content : left;
    }
    if (!contentKnown) {
      content = packet;
    }
    sized = packetKnown || contentKnown;
    String facts =
        "packet=%d content=%d read=%d left=%d bits".formatted(packet, content, read, left);
    if (packet <= 0 || packet % Byte.SIZE != 0 || content < read || content > packet) {
      throw wrong("packet has a wrong size", facts);
    }
    if (packet > left) {
      throw wrong("packet is longer than its file", facts);
    }
    next = cursor.packet + packet / Byte.SIZE;
    cursor.end = content;
    cursor.limit = Math.min(cursor.limit, content);
  }

  private ForeignException wrong(String problem, String facts) {
    return new ForeignException(problem, path, cursor.packet, facts);
  }

  private void run(Node[] nodes) throws ForeignException {
    for (Node node : nodes) {
      node.read(cursor, null);
    }
  }

  /** Has the rest of the packet in memory, or the next part of it that is large enough for most. */
  void prepare() throws IOException {
    if (cursor.limit - cursor.position < ALMOST * Byte.SIZE && cursor.limit < cursor.end) {
      load(cursor.position >>> 3, WINDOW);
    }
  }

  /** Has more in memory, from the cursor on. */
  void grow() throws IOException {
    long held = cursor.limit / Byte.SIZE - (cursor.position >>> 3);
    long wanted = Math.max(WINDOW, held * 2);
    if (wanted > LARGEST_EVENT) {
      throw cursor.problem("an event is too large", "max=" + LARGEST_EVENT);
    }
    load(cursor.position >>> 3, (int) wanted);
  }

  /** Reads from an offset in the packet on. */
  private void load(long begin, int wanted) throws IOException {
    long end = (cursor.end + 7) / Byte.SIZE;
    int length = (int) Math.min(wanted, end - begin);
    if (cursor.bytes.length < length) {
      cursor.bytes = new byte[length];
    }
    ByteBuffer into = ByteBuffer.wrap(cursor.bytes, 0, length);
    while (into.hasRemaining()) {
      int got = file.read(into, cursor.packet + begin + into.position());
      if (got < 0) {
        throw wrong("file has become shorter", "size=" + size);
      }
    }
    cursor.begin = begin;
    cursor.limit = Math.min(cursor.end, (begin + length) * Byte.SIZE);
  }

  /**
   * Whether most of the rest of the file is zeros: tracers that write no packets save their buffer
   * with what is unused of it.
   */
  boolean isUnused() throws IOException {
    long at = cursor.position >>> 3;
    if (sized || trace.any().has(Role.MAGIC) || (cursor.position & 7) != 0) {
      return false;
    }
    long rest = (cursor.end >>> 3) - at;
    long zeros = 0;
    while (at < (cursor.end >>> 3)) {
      load(at, WINDOW);
      int length = (int) ((cursor.limit >>> 3) - at);
      for (int i = 0; i < length; i++) {
        zeros += cursor.bytes[i] == 0 ? 1 : 0;
      }
      at += length;
    }
    return zeros > rest / 2;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
