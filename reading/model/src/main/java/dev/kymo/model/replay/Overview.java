package dev.kymo.model.replay;

/**
 * Numbers of events over time, over all tracks of a recording.
 *
 * @param width nanoseconds of a bucket; the first begins at 0
 * @param events in each bucket
 * @param lost events known to be missing in each bucket; a loss is spread over its gap
 */
@SuppressWarnings("ArrayRecordComponent") // columns of a picture, not a value
public record Overview(long width, long[] events, long[] lost) {
  /** Buckets there are at most. */
  public static final int BUCKETS = 4096;
}
