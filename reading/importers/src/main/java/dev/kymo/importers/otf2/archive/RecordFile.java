package dev.kymo.importers.otf2.archive;

import dev.kymo.importers.target.ForeignException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * One file of an archive, record by record. It is a row of chunks that have one size, but for the
 * last, which may be shorter:
 *
 * <pre>
 *   chunk    | 3 | order | number of the first record, 8 | of the last, 8 | records ... | 0 0 0 ... |
 *   record   | type, 1 | length, 1 | fields ... |           length 255: the true one follows in 8 bytes
 *   time     | 5 | ticks, 8 |                               of records up to the next time; only of events
 *   end      | 2 |                                          of the file
 *   number   | size, 0 to 8 | size bytes |                  size 255: all bits are set
 * </pre>
 *
 * Order is {@code 0x42} if numbers have their lowest byte first, otherwise {@code 0x23}. A record
 * may have more fields than are known: they are passed over. Some events are one number, and have
 * no length before it.
 */
final class RecordFile implements AutoCloseable {
  private static final int END_OF_CHUNK = 0;
  private static final int END_OF_FILE = 2;
  private static final int HEADER = 3;
  private static final int TIME = 5;
  private static final int HEADER_SIZE = 18;
  private static final int LITTLE = 0x42;
  private static final int BIG = 0x23;
  private static final int LONG = 0xFF;

  /** Types of events that are one number, without a length; bit {@code n} stands for type n. */
  private static final long BARE =
      1L << 12 | 1L << 13 | 1L << 16 | 1L << 17 | 1L << 20 | 1L << 21 | 1L << 24 | 7L << 28;

  /** More than any definition needs that was ever seen. */
  private static final int MOST_BYTES = 16 * 1024 * 1024;

  private final Path path;
  private final long chunkSize;
  private final boolean timed;
  private final FileChannel channel;
  private final long size;

  /** From its position on what has not been read. */
  private ByteBuffer window;

  /** Offset in the file of the window's index 0. */
  private long windowAt;

  private long chunkAt;
  private long chunkEnd;
  private int type;
  private long time;

  /** Index in the window where the record's fields end. */
  private int end;

  /**
   * Opens a file.
   *
   * @param timed whether its records have times
   * @param buffer bytes in memory, unless a record is larger
   */
  static RecordFile open(Path path, long chunkSize, boolean timed, int buffer) throws IOException {
    try {
      return new RecordFile(path, chunkSize, timed, buffer);
    } catch (NoSuchFileException e) {
      throw new ForeignException("file of the archive is missing", path, 0, "");
    }
  }

  private RecordFile(Path path, long chunkSize, boolean timed, int buffer) throws IOException {
    this.path = path;
    this.chunkSize = chunkSize;
    this.timed = timed;
    this.channel = FileChannel.open(path);
    try {
      this.size = channel.size();
      this.window = ByteBuffer.allocate(buffer).limit(0);
      beginChunk(0);
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
  }

  ForeignException damaged(String problem, String facts) {
    return new ForeignException(problem, path, offset(), facts);
  }

  /** Offset of what is read next. */
  long offset() {
    return windowAt + window.position();
  }

  private void beginChunk(long at) throws IOException {
    ByteOrder before = window.order();
    if (at >= windowAt && at <= windowAt + window.limit()) {
      window.position((int) (at - windowAt));
    } else {
      windowAt = at;
      window.clear().limit(0);
    }
    chunkAt = at;
    chunkEnd = chunkSize > size - at ? size : at + chunkSize;
    need(HEADER_SIZE);
    int mark = window.get(window.position()) & 0xFF;
    int order = window.get(window.position() + 1) & 0xFF;
    if (mark != HEADER || (order != LITTLE && order != BIG)) {
      throw damaged("chunk has no header", "bytes=%d,%d".formatted(mark, order));
    }
    window.order(order == LITTLE ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    if (at > 0 && window.order() != before) {
      throw damaged("chunk has another byte order than the first", "order=" + order);
    }
    window.position(window.position() + HEADER_SIZE);
    end = window.position();
  }

  /** Has so many bytes in the window. */
  private void need(int bytes) throws IOException {
    if (window.remaining() < bytes) {
      fill(bytes);
    }
    if (offset() + bytes > chunkEnd) {
      throw damaged("file or chunk ends within a record", "end=" + chunkEnd);
    }
  }

  private void fill(int bytes) throws IOException {
    windowAt += window.position();
    if (bytes > window.capacity()) {
      window = ByteBuffer.allocate(2 * bytes).order(window.order()).put(window);
    } else {
      window.compact();
    }
    while (window.position() < bytes) {
      if (channel.read(window, windowAt + window.position()) < 0) {
        window.flip();
        throw damaged("file ends within a record", "bytes=%d".formatted(window.limit()));
      }
    }
    window.flip();
  }

  /** Goes to the next record; false if there is none. */
  boolean next() throws IOException {
    window.position(end);
    while (true) {
      need(1);
      type = window.get() & 0xFF;
      if (timed && type == TIME) {
        need(Long.BYTES);
        time = window.getLong();
      } else if (type == END_OF_CHUNK) {
        if (chunkAt + chunkSize >= size) {
          throw damaged("chunk ends, and no other follows", "chunk=" + chunkAt);
        }
        beginChunk(chunkAt + chunkSize);
      } else {
        return type != END_OF_FILE && beginRecord();
      }
    }
  }

  private boolean beginRecord() throws IOException {
    need(1);
    long length = window.get() & 0xFF;
    if (timed && type < Long.SIZE && (BARE >>> type & 1) != 0) {
      window.position(window.position() - 1);
      length = length == LONG ? 1 : length + 1;
    } else if (length == LONG) {
      need(Long.BYTES);
      length = window.getLong();
    }
    if (length < 0 || length > MOST_BYTES) {
      throw damaged("record is too long", "type=%d length=%d".formatted(type, length));
    }
    need((int) length);
    end = window.position() + (int) length;
    return true;
  }

  int type() {
    return type;
  }

  /** When it was, in ticks. */
  long time() {
    return time;
  }

  boolean hasMore() {
    return window.position() < end;
  }

  private void field(int bytes) throws ForeignException {
    if (window.position() + bytes > end) {
      throw damaged("record ends within its fields", "type=" + type);
    }
  }

  int u8() throws ForeignException {
    field(1);
    return window.get() & 0xFF;
  }

  int u16() throws ForeignException {
    field(Short.BYTES);
    return window.getShort() & 0xFFFF;
  }

  /** A number of 32 bits; those without a sign can be negative here. */
  int u32() throws ForeignException {
    return (int) number(Integer.BYTES);
  }

  long u64() throws ForeignException {
    return number(Long.BYTES);
  }

  private long number(int most) throws ForeignException {
    int bytes = u8();
    if (bytes == 0) {
      return 0;
    }
    if (bytes == LONG) {
      return -1;
    }
    if (bytes > most) {
      throw damaged("number has too many bytes", "bytes=%d most=%d".formatted(bytes, most));
    }
    field(bytes);
    long number = 0;
    if (window.order() == ByteOrder.LITTLE_ENDIAN) {
      for (int i = 0; i < bytes; i++) {
        number |= (window.get() & 0xFFL) << (8 * i);
      }
    } else {
      for (int i = 0; i < bytes; i++) {
        number = number << 8 | (window.get() & 0xFF);
      }
    }
    return number;
  }

  /** A number that has all its 4 bytes. */
  int whole32() throws ForeignException {
    field(Integer.BYTES);
    return window.getInt();
  }

  /** A number that has all its 8 bytes. */
  long whole64() throws ForeignException {
    field(Long.BYTES);
    return window.getLong();
  }

  /** How many things follow, each of at least a byte. */
  int count(long count) throws ForeignException {
    if (count < 0 || count > end - window.position()) {
      throw damaged(
          "record is too short for what it has", "type=%d count=%d".formatted(type, count));
    }
    return (int) count;
  }

  /** A text; it ends with a byte 0. */
  String text() throws ForeignException {
    int from = window.position();
    int to = from;
    while (to < end && window.get(to) != 0) {
      to++;
    }
    if (to == end) {
      throw damaged("text has no end", "type=" + type);
    }
    byte[] text = new byte[to - from];
    window.get(text).get();
    return new String(text, StandardCharsets.UTF_8);
  }

  byte[] rest() {
    byte[] rest = new byte[end - window.position()];
    window.get(rest);
    return rest;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
