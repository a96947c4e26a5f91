package dev.kymo.model.counts;

import dev.kymo.format.CountRecord;

/** Takes records of counters. */
@FunctionalInterface
public interface ReadingSink {
  /** What had been counted at a clock. */
  void reading(long clock, CountRecord count);
}
