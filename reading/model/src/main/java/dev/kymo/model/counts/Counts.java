package dev.kymo.model;

import dev.kymo.format.CountersLayout;
import java.util.List;
import java.util.function.Consumer;

/**
 * The calls that were counted and not recorded one by one. Counters were read about once a second:
 * what lies between two readings is taken to be spread evenly. Times are nanoseconds since the
 * recording's begin. Safe for use by several threads.
 *
 * <p>A track is here the number of a timeline's track or, of a {@link CallPass}, {@link
 * ThreadCalls#index()}.
 */
public interface Counts {
  /** How many buckets a histogram has. */
  int BUCKETS = CountersLayout.BUCKETS;

  /** Nothing was counted. */
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
   * Hands out what was counted of a track in a range, by method and mode; each of the two is told
   * once, and only if calls or times fall into the range. A range that begins before the first
   * reading and ends behind the last gives exactly what was counted; ranges that follow each other
   * give together what the whole of them gives.
   */
  void between(int track, long from, long to, Consumer<CountedCalls> visitor);

  /** The periods of a track that overlap a range, whole ones, in their order. */
  List<Period> periods(int track, long from, long to);

  /** How many calls of a track were counted in all. */
  long calls(int track);

  /** The shortest duration in a histogram's bucket, nanoseconds. */
  long bucketBegin(int bucket);
}
