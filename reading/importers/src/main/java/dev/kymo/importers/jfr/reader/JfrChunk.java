package dev.kymo.importers.jfr.reader;

/**
 * A part of a file that can be read by itself. Its header is big-endian:
 *
 * <pre>
 *   byte  0  u32  "FLR\0"
 *         4  u16  major version
 *         6  u16  minor version
 *         8  i64  size of the chunk
 *        16  i64  offset of the last constants
 *        24  i64  offset of the descriptions of types
 *        32  i64  begin, nanoseconds since 1970
 *        40  i64  duration, nanoseconds
 *        48  i64  begin, ticks
 *        56  i64  ticks per second
 *        64  u32  features; 1 = integers have variable length
 * </pre>
 *
 * @param offset in the file
 * @param size bytes
 * @param metadata offset in the file of the descriptions of types
 * @param startNanos nanoseconds since 1970
 * @param startTicks the same time in ticks
 * @param ticksPerSecond frequency of the clock
 * @param compressed whether integers have variable length
 */
public record JfrChunk(
    long offset,
    long size,
    long metadata,
    long startNanos,
    long startTicks,
    long ticksPerSecond,
    boolean compressed) {
  static final int HEADER_SIZE = 68;
  static final int MAGIC = 0x464C5200;

  /** Offset after its last byte. */
  public long end() {
    return offset + size;
  }

  /** Nanoseconds since 1970 of a time in ticks, rounded as the JDK does. */
  public long nanos(long ticks) {
    return startNanos + span(ticks - startTicks);
  }

  /** Nanoseconds that ticks take. */
  public long span(long ticks) {
    return (long) (ticks / (ticksPerSecond / 1e9));
  }
}
