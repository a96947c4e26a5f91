package dev.kymo.recorder;

import dev.kymo.format.CountersLayout;

/**
 * Counts one thread's calls of one method in one mode. Written by that thread only (a carrier's by
 * the virtual threads on it), in plain fields, because that is what costs least; the housekeeper
 * copies it into shared memory, so what a killed program has counted in its last tenth of a second
 * is not known.
 */
final class Counter {
  /** The platform thread, also where virtual threads run on it. */
  final Thread owner;

  /** Where it is copied to in {@link Counters}. */
  final int block;

  private final boolean sampled;

  /** Calls begun. */
  long calls;

  /** Calls timed, when they ended. */
  long timed;

  /** Ticks of timed calls that lay in no other one. */
  long ticks;

  /** Ticks of all timed calls. */
  long durations;

  long max;

  /** Timed calls that are running. */
  int running;

  final int[] histogram = new int[CountersLayout.BUCKETS];

  /** What {@link #calls} was when the governor looked last. */
  long callsBefore;

  Counter(Thread owner, int block, boolean sampled) {
    this.owner = owner;
    this.block = block;
    this.sampled = sampled;
  }

  /**
   * A timed call has ended.
   *
   * @param virtual whether it may have begun with another carrier's counter
   */
  void end(long time, boolean virtual) {
    long duration = Math.max(0, time);
    timed++;
    durations += duration;
    if (sampled || --running <= 0 || virtual) {
      ticks += duration;
    }
    if (duration > max) {
      max = duration;
    }
    histogram[CountersLayout.bucket(duration)]++;
  }
}
