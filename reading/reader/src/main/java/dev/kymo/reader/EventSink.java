package dev.kymo.reader;

/** Takes the events of thread streams. */
public interface EventSink {
  /** The number of lost events is unknown. */
  long UNKNOWN = -1;

  /** Takes events of one thread; the batch is reused as soon as this returns. */
  void events(EventBatch batch);

  /**
   * Takes a loss: events of this thread are missing between the two clocks.
   *
   * @param lost how many, or {@link #UNKNOWN}; 0 = they are counted with the other thread of the
   *     stream that may have lost them
   */
  default void gap(int process, int thread, long from, long to, long lost) {}
}
