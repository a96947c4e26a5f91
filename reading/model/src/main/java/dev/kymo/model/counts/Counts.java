package dev.kymo.model.counts;

import dev.kymo.format.CountersLayout;
import java.util.List;
import java.util.function.Consumer;

/**
 * The calls that were counted and not recorded one by one. Counters were read about once a second;
 * calls between two readings count as spread evenly. Times are nanoseconds since the recording's
 * begin. Safe for use by several threads.
 *
 * <p>A track is here the number of a timeline's track or, where a recording is read without a
 * timeline, the index of a thread.
 */
public interface Counts {
  int BUCKETS = CountersLayout.BUCKETS;

  Counts NONE =
      new Counts() {
        @Override
        public void between(int track, long from, long to, Consumer<CountedCalls> visitor) {}

        @Override
        public List<Period> periods(int track, long from, long to) {
          return List.of();
        }

        @Override
        public long calls(int track) {
          return 0;
        }

        @Override
        public long bucketBegin(int bucket) {
          return CountersLayout.lowerBound(bucket);
        }
      };

  /**
   * Two readings of the counters of a track, and what came in between.
   *
   * @param calls of all methods together; not 0
   */
  record Period(long from, long to, long calls) {}

  /**
   * Hands out the counts of a track in a range, by method and mode; each pair once, and only if
   * calls or times fall into the range. A range that begins before the first reading and ends after
   * the last gives exactly what was counted. The sums of adjacent ranges make up the sum of the
   * whole.
   */
  void between(int track, long from, long to, Consumer<CountedCalls> visitor);

  /** The periods of a track that overlap a range, whole ones, in their order. */
  List<Period> periods(int track, long from, long to);

  long calls(int track);

  /** The shortest duration in a histogram's bucket, nanoseconds. */
  long bucketBegin(int bucket);
}
