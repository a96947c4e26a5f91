package dev.kymo.instructions.calls;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Index of a thread's chunks, to begin reading with any of them: the calls that a chunk begins in,
 * and where the packets made of it lie in the thread's stream.
 *
 * <pre>
 *   byte  0  u32  magic
 *         4  u32  CRC-32 of what follows
 *         8  u64  bytes of the thread's file
 *        16  u32  entries
 *        20       for each chunk: u64 position, u64 first packet, u32 bytes, u32 state's bytes, state
 * </pre>
 */
public final class NestIndex {
  private static final int MAGIC = 0x4e49594b;
  private static final int HEAD = 20;

  /** Without the file, the index is made again whenever it is needed. */
  static final int MAX_SIZE = 128 << 20;

  /**
   * A chunk.
   *
   * @param position of its first packet in the stream
   * @param packets before it
   * @param size bytes of its packets
   * @param state before it: what has changed since the entry before
   */
  record Entry(long position, long packets, int size, NestState state) {}

  private final List<Entry> entries = new ArrayList<>();
  private final List<NestState> states = new ArrayList<>();
  private long instructions;

  NestIndex() {}

  /** Executed in all chunks; known only when the index is made. */
  public long instructions() {
    return instructions;
  }

  void count(long executed) {
    instructions += executed;
  }

  void add(Entry entry) {
    entries.add(entry);
    states.add(entry.state());
  }

  List<Entry> entries() {
    return entries;
  }

  /** The calls before a chunk; to be changed by whoever asks. */
  NestState state(int chunk) {
    return NestState.whole(states, chunk);
  }

  /** Bytes of the stream. */
  public long size() {
    Entry last = entries.isEmpty() ? null : entries.getLast();
    return last == null ? 0 : last.position() + last.size();
  }

  /** The chunk whose packets have a byte of the stream; -1 = none. */
  int find(long position) {
    int low = 0;
    int high = entries.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Entry entry = entries.get(middle);
      if (position < entry.position()) {
        high = middle - 1;
      } else if (position >= entry.position() + entry.size()) {
        low = middle + 1;
      } else {
        return middle;
      }
    }
    return -1;
  }

  /** The file's bytes; null if they are too many. */
  public @Nullable ByteBuffer bytes(long fileSize) {
    long size = HEAD;
    for (Entry entry : entries) {
      size += 24 + entry.state().size();
    }
    if (size > MAX_SIZE) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(MAGIC).putInt(0).putLong(fileSize).putInt(entries.size());
    for (Entry entry : entries) {
      bytes.putLong(entry.position()).putLong(entry.packets()).putInt(entry.size());
      bytes.putInt(entry.state().size());
      entry.state().put(bytes);
    }
    bytes.putInt(4, crc(bytes.flip()));
    return bytes;
  }

  /** Reads a file; null if it is damaged, or another file's. */
  public static @Nullable NestIndex read(ByteBuffer bytes, long fileSize, int chunks) {
    if (bytes.remaining() < HEAD
        || bytes.getInt(0) != MAGIC
        || bytes.getInt(4) != crc(bytes)
        || bytes.getLong(8) != fileSize
        || bytes.getInt(16) != chunks) {
      return null;
    }
    NestIndex index = new NestIndex();
    bytes.position(HEAD);
    try {
      for (int i = 0; i < chunks; i++) {
        long position = bytes.getLong();
        long packets = bytes.getLong();
        int size = bytes.getInt();
        int state = bytes.getInt();
        int begin = bytes.position();
        long expected = index.size();
        int depth = i == 0 ? 0 : index.states.getLast().depth;
        NestState calls = NestState.get(bytes, depth);
        index.add(new Entry(position, packets, size, calls));
        if (bytes.position() != begin + state
            || position != expected
            || size < 0
            || calls.last < 0) {
          return null;
        }
      }
    } catch (BufferUnderflowException e) {
      return null;
    }
    return index;
  }

  private static int crc(ByteBuffer bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes.duplicate().position(8));
    return (int) crc.getValue();
  }
}
