package dev.kymo.instructions.calls;

import dev.kymo.instructions.trace.ChunkFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The irregular points of a thread in the order of time: of each kind the first {@value #MOST}, and
 * how many there were.
 *
 * <pre>
 *   byte  0  u32  magic
 *         4  u32  CRC-32 of what follows
 *         8  u64  bytes of the thread's file
 *        16  u32  kinds
 *        20  u32  points
 *        24       for each kind: u64 how many there were
 *                 for each point: u64 clock, u64 address, u64 to, u64 subject, u64 count, u8 kind
 * </pre>
 */
public final class ThreadPoints {
  /** More of a kind are only counted. */
  public static final int MOST = 10_000;

  private static final int MAGIC = 0x5049594b;
  private static final int HEAD = 24;
  private static final int POINT = 5 * 8 + 1;
  private static final int KINDS = PointKind.values().length;

  public static final int MAX_SIZE = HEAD + KINDS * (8 + MOST * POINT);

  private final List<FoundPoint> points = new ArrayList<>();
  private final long[] counts = new long[KINDS];

  public ThreadPoints() {}

  public static String fileName(int process, int thread) {
    return ChunkFile.fileName(process, thread) + ".points";
  }

  public void add(FoundPoint point) {
    int kind = point.kind().number();
    counts[kind]++;
    if (counts[kind] <= MOST) {
      points.add(point);
    }
  }

  void removeLast() {
    counts[points.removeLast().kind().number()]--;
  }

  public List<FoundPoint> points() {
    return points;
  }

  /** How many there were, with those that were not kept. */
  public long count(PointKind kind) {
    return counts[kind.number()];
  }

  public ByteBuffer bytes(long fileSize) {
    ByteBuffer bytes =
        ByteBuffer.allocate(HEAD + KINDS * 8 + points.size() * POINT)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(MAGIC)
            .putInt(0)
            .putLong(fileSize)
            .putInt(KINDS)
            .putInt(points.size());
    for (long count : counts) {
      bytes.putLong(count);
    }
    for (FoundPoint point : points) {
      bytes
          .putLong(point.clock())
          .putLong(point.address())
          .putLong(point.to())
          .putLong(point.subject())
          .putLong(point.count())
          .put((byte) point.kind().number());
    }
    return bytes.flip().putInt(4, crc(bytes));
  }

  /** Reads a file; null if it is damaged, or another file's. */
  public static @Nullable ThreadPoints read(ByteBuffer bytes, long fileSize) {
    if (bytes.remaining() < HEAD + KINDS * 8
        || bytes.getInt(0) != MAGIC
        || bytes.getInt(4) != crc(bytes)
        || bytes.getLong(8) != fileSize
        || bytes.getInt(16) != KINDS) {
      return null;
    }
    int size = bytes.getInt(20);
    if (bytes.remaining() != HEAD + KINDS * 8 + (long) size * POINT) {
      return null;
    }
    bytes.position(HEAD);
    ThreadPoints read = new ThreadPoints();
    long[] counts = new long[KINDS];
    for (int i = 0; i < KINDS; i++) {
      counts[i] = bytes.getLong();
    }
    for (int i = 0; i < size; i++) {
      FoundPoint point = point(bytes);
      if (point == null) {
        return null;
      }
      read.add(point);
    }
    for (int i = 0; i < KINDS; i++) {
      if (read.counts[i] != Math.min(MOST, counts[i])) {
        return null;
      }
      read.counts[i] = counts[i];
    }
    return read;
  }

  private static @Nullable FoundPoint point(ByteBuffer from) {
    long clock = from.getLong();
    long address = from.getLong();
    long to = from.getLong();
    long subject = from.getLong();
    long count = from.getLong();
    PointKind kind = PointKind.of(from.get());
    return kind == null || clock < 0
        ? null
        : new FoundPoint(kind, clock, address, to, subject, count);
  }

  private static int crc(ByteBuffer bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes.duplicate().position(8));
    return (int) crc.getValue();
  }
}
