package dev.kymo.analysis.locks;

import dev.kymo.analysis.costs.Durations;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** What happened to one object, added up; times are clock ticks. */
final class LockSums {
  long acquired;
  long contended;
  long failed;
  long waitTotal;
  long waitMax;
  long holdTotal;
  long holdMax;

  /** How often it was held at the end. */
  long kept;

  /** How often somebody waited at the end. */
  long open;

  /** Indexes of the threads that used it. */
  final BitSet threads = new BitSet();

  // Most objects of a program are never waited for.
  private @Nullable Durations waits;
  private @Nullable Durations holds;
  private @Nullable PriorityQueue<LongWait> longest;

  /**
   * Somebody waited.
   *
   * @param most how many of the longest waits are kept, at least one
   */
  void waited(LongWait wait, int most) {
    if (waits == null) {
      waits = new Durations();
      longest = new PriorityQueue<>(LongWait.SHORTEST_FIRST);
    }
    waits.addDuration(wait.time());
    waitTotal += wait.time();
    waitMax = Math.max(waitMax, wait.time());
    PriorityQueue<LongWait> kept = longest;
    if (kept != null) {
      kept.add(wait);
      if (kept.size() > Math.max(1, most)) {
        kept.remove();
      }
    }
  }

  void held(long time) {
    if (holds == null) {
      holds = new Durations();
    }
    holds.addDuration(time);
    holdTotal += time;
    holdMax = Math.max(holdMax, time);
  }

  /** The longest waits, longest first. */
  List<LongWait> longest() {
    Comparator<LongWait> longestFirst = LongWait.SHORTEST_FIRST.reversed();
    return longest == null ? List.of() : longest.stream().sorted(longestFirst).toList();
  }

  long waits(double share) {
    return waits == null ? 0 : Math.min(waitMax, waits.percentile(share));
  }

  long holds(double share) {
    return holds == null ? 0 : Math.min(holdMax, holds.percentile(share));
  }

  boolean isEmpty() {
    return acquired + contended + failed + open == 0 && holds == null;
  }
}
