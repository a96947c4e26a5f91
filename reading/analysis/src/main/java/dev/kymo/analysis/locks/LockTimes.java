package dev.kymo.analysis.locks;

import dev.kymo.model.definitions.NanoClock;

/** How long something took, of several times; nanoseconds. Percentiles are within 1.6 %. */
public record LockTimes(long total, long p50, long p99, long max) {
  static LockTimes waits(LockSums sums, NanoClock clock) {
    return new LockTimes(
        clock.duration(sums.waitTotal),
        clock.duration(sums.waits(0.5)),
        clock.duration(sums.waits(0.99)),
        clock.duration(sums.waitMax));
  }

  static LockTimes holds(LockSums sums, NanoClock clock) {
    return new LockTimes(
        clock.duration(sums.holdTotal),
        clock.duration(sums.holds(0.5)),
        clock.duration(sums.holds(0.99)),
        clock.duration(sums.holdMax));
  }
}
