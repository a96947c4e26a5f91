package dev.kymo.analysis;

/** Converts a time to nanoseconds, whatever it is in. */
@FunctionalInterface
interface Nanoseconds {
  /** Nanoseconds of a duration. */
  long nanos(long duration);
}
