package dev.kymo.model;

import dev.kymo.reader.EventBatch;

/** Takes the calls of threads, each when it ends. Times are clock ticks. */
public interface CallSink {
  /** Flag of a call: an outer call of the same method was running on the thread. */
  int NESTED = 256;

  /**
   * A call has ended, or is known no further. Calls of a thread come in the order of their ends.
   *
   * @param depth 0 = outermost
   * @param method number in the recording
   * @param childTime ticks that the calls made directly by this one took
   * @param children how many those were
   * @param flags sum of {@link Slice} constants and {@link #NESTED}
   */
  void call(
      ThreadCalls thread,
      int depth,
      int method,
      long begin,
      long end,
      long childTime,
      long children,
      int flags);

  /** A call has begun. */
  default void enter(ThreadCalls thread, int depth, int method, long clock) {}

  /**
   * More about a state that ends, or is open at the end; its {@link #call} comes next.
   *
   * @param object identity of what was waited for, 0 = unknown
   * @param other number of the thread in the process, one of states, that let it go on or, if it
   *     has not ended, has what it waits for; 0 = unknown
   */
  default void detail(ThreadCalls thread, long clock, int object, int other) {}

  /**
   * An event of the program's own.
   *
   * @param event number in the recording, among those of methods
   * @param batch has its argument or data, if asked with the word, until this returns
   */
  default void event(ThreadCalls thread, int event, long clock, EventBatch batch, int word) {}

  /**
   * Events of the thread were lost; comes before the first event behind the loss.
   *
   * @param lost how many; {@link dev.kymo.reader.EventSink#UNKNOWN}; 0 = counted with another
   *     thread
   */
  default void gap(ThreadCalls thread, long from, long to, long lost) {}
}
