package dev.kymo.model.counts;

/** A thread of which calls may have been counted. */
public interface CountedThread {
  /** Number of the process in the recording. */
  int process();

  /** Number in the process. */
  int thread();

  /**
   * Until when the calls were counted that the last reading of the thread's counters found.
   *
   * @param before clock from which on they were counted
   */
  long countedUntil(long before, long reading);
}
