package dev.kymo.analysis.search;

import dev.kymo.analysis.whole.MethodMarks;
import dev.kymo.analysis.whole.WholeTotals;
import dev.kymo.model.timeline.Timeline;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The times at which calls of some methods can begin: a search need not read the rest. Until that
 * is known, all times.
 */
final class MarkedTime {
  private static final long NEVER = Long.MAX_VALUE;

  private final @Nullable MethodMarks marks;
  private final BitSet marked = new BitSet();

  MarkedTime(Timeline timeline, BitSet methods) {
    WholeTotals known = WholeTotals.of(timeline);
    marks = known != null && known.marks().isComplete() ? known.marks() : null;
    if (marks != null) {
      long[] calls = new long[marks.buckets()];
      marks.addTo(methods, calls);
      for (int i = 0; i < calls.length; i++) {
        marked.set(i, calls[i] > 0);
      }
    }
  }

  /** The first time, not before this one, at which a call can begin. */
  long atOrAfter(long time) {
    if (marks == null) {
      return time;
    }
    int bucket = marked.nextSetBit(marks.bucket(time));
    return bucket < 0 ? NEVER : Math.max(time, bucket * marks.width());
  }

  /** The last time, not after this one, at which a call can begin; -1 if there is none. */
  long atOrBefore(long time) {
    if (marks == null) {
      return time;
    }
    int bucket = time < 0 ? -1 : marked.previousSetBit(marks.bucket(time));
    return bucket < 0 ? -1 : Math.min(time, endOfBucket(bucket));
  }

  /** The last time of the part that a time is in. */
  long partEnd(long time) {
    return marks == null ? NEVER : Math.max(time, endOfBucket(marks.bucket(time)));
  }

  /** The first time of the part that a time is in. */
  long partBegin(long time) {
    return marks == null ? 0 : Math.min(time, marks.bucket(time) * marks.width());
  }

  private long endOfBucket(int bucket) {
    MethodMarks all = marks;
    return all == null || bucket == all.buckets() - 1 ? NEVER : (bucket + 1) * all.width() - 1;
  }
}
