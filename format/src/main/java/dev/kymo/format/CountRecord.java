package dev.kymo.format;

import java.nio.ByteBuffer;

/**
 * The one kind of record of a {@link StreamClass#COUNTS} stream: what was counted of a thread,
 * method and mode since the recording began. A later one of the same three replaces it.
 *
 * <pre>
 *   byte  0  u8   255
 *         1  u32  0
 *         5  u64  clock at which it was read
 *        13  u32  thread
 *        17  u32  method
 *        21  u32  mode
 *        25  u64  calls begun
 *        33  u64  calls timed
 *        41  u64  ticks of the timed calls that lay in no other of this method
 *        49  u64  ticks of all timed calls
 *        57  u64  ticks of the longest
 *        65  u32  n
 *        69  n * { u8 bucket; u32 calls }, those that are not empty
 * </pre>
 *
 * @param histogram timed calls by {@link CountersLayout#bucket}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never a key
public record CountRecord(
    int thread,
    int method,
    int mode,
    long calls,
    long timed,
    long ticks,
    long durations,
    long max,
    int[] histogram) {
  /** Bytes before the fields, as in {@link DefinitionCodec}. */
  public static final int HEADER_SIZE = DefinitionCodec.HEADER_SIZE;

  private static final int BUCKET_SIZE = 5;

  /** Upper bound of a record's bytes. */
  public static final int MAX_SIZE = 69 + CountersLayout.BUCKETS * BUCKET_SIZE;

  /** Appends the record at the buffer's position. */
  public void put(ByteBuffer to, long clock) {
    to.put((byte) ThreadRecord.EXTENDED).putInt(0).putLong(clock);
    to.putInt(thread).putInt(method).putInt(mode);
    to.putLong(calls).putLong(timed).putLong(ticks).putLong(durations).putLong(max);
    int count = to.position();
    to.putInt(0);
    for (int bucket = 0; bucket < histogram.length; bucket++) {
      if (histogram[bucket] != 0) {
        to.put((byte) bucket).putInt(histogram[bucket]);
      }
    }
    to.putInt(count, (to.position() - count - 4) / BUCKET_SIZE);
  }

  /**
   * Reads the fields; the buffer stands behind the header and is moved behind the record.
   *
   * @throws java.nio.BufferUnderflowException if the buffer ends before the record does
   * @throws IllegalArgumentException if there are more buckets than can be
   */
  public static CountRecord get(ByteBuffer from) {
    int thread = from.getInt();
    int method = from.getInt();
    int mode = from.getInt();
    long calls = from.getLong();
    long timed = from.getLong();
    long ticks = from.getLong();
    long durations = from.getLong();
    long max = from.getLong();
    int n = from.getInt();
    if (n < 0 || n > CountersLayout.BUCKETS) {
      throw new IllegalArgumentException("too many buckets: n=" + Integer.toUnsignedString(n));
    }
    int[] histogram = new int[CountersLayout.BUCKETS];
    for (int i = 0; i < n; i++) {
      int bucket = from.get() & 0xFF;
      if (bucket >= histogram.length) {
        throw new IllegalArgumentException("no such bucket: bucket=" + bucket);
      }
      histogram[bucket] = from.getInt();
    }
    return new CountRecord(thread, method, mode, calls, timed, ticks, durations, max, histogram);
  }
}
