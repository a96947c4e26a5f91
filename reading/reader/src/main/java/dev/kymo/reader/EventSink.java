package dev.kymo.reader;

/** Takes the events of thread streams. */
public interface EventSink {
  /** Nobody knows how many events were lost. */
  long UNKNOWN = -1;

  /** Takes events of one thread; the batch is reused as soon as this returns. */
  void events(EventBatch batch);

  /**
   * Takes a loss: between the two clocks events of this thread are missing.
   *
   * @param lost how many, or {@link #UNKNOWN}; 0 = they are counted with the other thread of the
   *     stream that may have lost them
   */
  default void gap(int process, int thread, long from, long to, long lost) {}
}
