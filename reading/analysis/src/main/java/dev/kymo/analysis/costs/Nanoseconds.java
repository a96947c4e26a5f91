package dev.kymo.analysis.costs;

/** Converts a time to nanoseconds, whatever it is in. */
@FunctionalInterface
public interface Nanoseconds {
  /** Nanoseconds of a duration. */
  long nanos(long duration);
}
