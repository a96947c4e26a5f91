package dev.kymo.format;

/**
 * Shared memory in which a process counts the calls of methods that are not recorded as events; the
 * drainer reads it at any time. A header page and blocks, one for each thread, method and mode.
 *
 * <pre>
 *   byte    0  u64  magic "KYMOCNTS"
 *           8  u32  number of blocks: 0 .. n-1
 *        4096  block 0
 *
 *   a block, 320 bytes
 *   byte    0  u32  {@link #FREE}, {@link #USED}, {@link #RETIRED}
 *           4  u32  thread
 *           8  u32  method
 *          12  u32  {@link Definition.MethodMode#TIMED} or {@link Definition.MethodMode#SAMPLED};
 *                   {@link Definition.MethodMode#EVENTS}: counted calls that its calls made
 *          16  u64  calls begun
 *          24  u64  calls timed, when they ended
 *          32  u64  ticks of the timed calls that lay in no other timed call of this method
 *          40  u64  ticks of all timed calls
 *          48  u64  ticks of the longest
 *          56  u32  timed calls that are running
 *          60  u32[49]  timed calls by duration: {@link #bucket}
 *         256  u64  the fields of {@link CountRecord.Spent}, in their order; all 0 = there are none
 * </pre>
 *
 * Only the thread that a block belongs to writes into it, until the thread has ended and its ring
 * is given to another thread: then the recorded process makes it RETIRED. The drainer reads it a
 * last time and makes it FREE, and the process may use it again.
 */
public final class CountersLayout {
  public static final long MAGIC = 0x53544E434F4D594BL;
  public static final int MAGIC_OFFSET = 0;
  public static final int BLOCKS_OFFSET = 8;
  public static final int HEADER_SIZE = 4096;

  public static final int STATE_OFFSET = 0;
  public static final int THREAD_OFFSET = 4;
  public static final int METHOD_OFFSET = 8;
  public static final int MODE_OFFSET = 12;
  public static final int CALLS_OFFSET = 16;
  public static final int TIMED_OFFSET = 24;
  public static final int TICKS_OFFSET = 32;
  public static final int DURATIONS_OFFSET = 40;
  public static final int MAX_OFFSET = 48;
  public static final int RUNNING_OFFSET = 56;
  public static final int HISTOGRAM_OFFSET = 60;
  public static final int BUCKETS = 49;
  public static final int TOTAL_OFFSET = 256;
  public static final int SELF_OFFSET = 264;
  public static final int SQUARES_OFFSET = 272;
  public static final int INTERVAL_OFFSET = 280;
  public static final int UNPLACED_OFFSET = 288;
  public static final int SINCE_OFFSET = 296;
  public static final int BLOCK_SIZE = 320;

  public static final int FREE = 0;
  public static final int USED = 1;
  public static final int RETIRED = 2;

  /** Durations below this are in the first bucket. */
  private static final int SMALLEST = 16;

  private CountersLayout() {}

  /** Bucket of a duration in ticks; each power of two has two buckets. */
  public static int bucket(long ticks) {
    if (ticks < SMALLEST) {
      return 0;
    }
    int zeros = Long.numberOfLeadingZeros(ticks);
    int half = (int) (ticks >>> (62 - zeros)) & 1;
    return Math.min(BUCKETS - 1, 2 * (63 - zeros) - 7 + half);
  }

  /** Smallest duration in a bucket, ticks. */
  public static long lowerBound(int bucket) {
    if (bucket == 0) {
      return 0;
    }
    long power = 1L << ((bucket + 7) / 2);
    return (bucket & 1) == 1 ? power : power + power / 2;
  }
}
