package dev.kymo.format;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The only kind of record of a {@link StreamClass#COUNTS} stream: the counts of a thread, method
 * and mode since the recording began. A later record of the same three replaces it.
 *
 * <pre>
 *   byte  0  u8   255
 *         1  u32  0, or 1 if the fields of {@link Spent} follow
 *         5  u64  clock at which it was read
 *        13  u32  thread
 *        17  u32  method
 *        21  u32  mode
 *        25  u64  calls begun
 *        33  u64  calls timed
 *        41  u64  ticks of the timed calls that lay in no other call of this method
 *        49  u64  ticks of all timed calls
 *        57  u64  ticks of the longest
 *        65  if there are any: u64[6], the fields of {@link Spent}
 *            u32  n
 *            n * { u8 bucket; u32 calls }, those that are not empty
 * </pre>
 *
 * @param histogram timed calls by {@link CountersLayout#bucket}
 * @param spent where the thread's time went; null if the thread was not sampled
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
    int[] histogram,
    @Nullable Spent spent) {
  /**
   * Time that the thread spent in the method. It is found by sampling about once a millisecond
   * where the thread is: the time since the last sample goes to all the methods that it finds.
   *
   * <p>In mode {@link Definition.MethodMode#EVENTS} the total is only that of the counted calls
   * that the method's calls made directly, and that are in the duration of these calls.
   *
   * @param total ticks in the method, once where it was on the stack several times, and without
   *     ticks in which a call of it that is recorded as an event was around or below
   * @param self ticks in which it was the innermost method that is counted or recorded
   * @param squares sum of the squares of the times, in {@code 1 << SQUARES_SHIFT} ticks, of the
   *     samples that may have added too much or too little
   * @param interval ticks between two samples, about
   * @param unplaced calls begun whose time is in none of these fields: those of virtual threads
   * @param since clock at which nothing was counted yet
   */
  public record Spent(
      long total, long self, long squares, long interval, long unplaced, long since) {
    /** In single ticks the sum would not fit into 64 bits in a long recording. */
    public static final int SQUARES_SHIFT = 10;

    private static final int SIZE = 6 * Long.BYTES;

    private void put(ByteBuffer to) {
      to.putLong(total).putLong(self).putLong(squares);
      to.putLong(interval).putLong(unplaced).putLong(since);
    }

    private static Spent get(ByteBuffer from) {
      return new Spent(
          from.getLong(),
          from.getLong(),
          from.getLong(),
          from.getLong(),
          from.getLong(),
          from.getLong());
    }
  }

  /** The counts of a thread that was not sampled. */
  public CountRecord(
      int thread,
      int method,
      int mode,
      long calls,
      long timed,
      long ticks,
      long durations,
      long max,
      int[] histogram) {
    this(thread, method, mode, calls, timed, ticks, durations, max, histogram, null);
  }

  /** Bytes before the fields, as in {@link DefinitionCodec}. */
  public static final int HEADER_SIZE = DefinitionCodec.HEADER_SIZE;

  /** Ids of the record without and with {@link Spent}. */
  public static final int COUNTED = 0;

  public static final int SPENT = 1;

  private static final int BUCKET_SIZE = 5;

  /** Upper bound of a record's bytes. */
  public static final int MAX_SIZE = 69 + Spent.SIZE + CountersLayout.BUCKETS * BUCKET_SIZE;

  /** Appends the record at the buffer's position. */
  public void put(ByteBuffer to, long clock) {
    to.put((byte) ThreadRecord.EXTENDED).putInt(spent == null ? COUNTED : SPENT).putLong(clock);
    to.putInt(thread).putInt(method).putInt(mode);
    to.putLong(calls).putLong(timed).putLong(ticks).putLong(durations).putLong(max);
    if (spent != null) {
      spent.put(to);
    }
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
   * Reads the fields. The buffer stands after the header and is moved to after the record.
   *
   * @param id of the record: {@link #COUNTED} or {@link #SPENT}
   * @throws java.nio.BufferUnderflowException if the buffer ends before the record does
   * @throws IllegalArgumentException if there are more buckets than possible
   */
  public static CountRecord get(ByteBuffer from, int id) {
    int thread = from.getInt();
    int method = from.getInt();
    int mode = from.getInt();
    long calls = from.getLong();
    long timed = from.getLong();
    long ticks = from.getLong();
    long durations = from.getLong();
    long max = from.getLong();
    Spent spent = id == SPENT ? Spent.get(from) : null;
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
    return new CountRecord(
        thread, method, mode, calls, timed, ticks, durations, max, histogram, spent);
  }
}
