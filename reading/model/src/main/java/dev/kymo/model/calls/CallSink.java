package dev.kymo.model.calls;

import dev.kymo.reader.EventBatch;

/** Takes the calls of threads, each when it ends. Times are clock ticks. */
public interface CallSink {
  CallSink NONE = call -> {};

  /**
   * A call has ended, or is not known any further. Calls of a thread come in the order of their
   * ends.
   *
   * @param call stands for the next call as soon as this returns
   */
  void call(CallCursor call);

  default void enter(ThreadCalls thread, int depth, int method, long clock) {}

  /**
   * A user event.
   *
   * @param event number in the recording, among those of methods
   * @param batch has its argument or data, if asked with the word, until this returns
   */
  default void event(ThreadCalls thread, int event, long clock, EventBatch batch, int word) {}

  /**
   * Events of the thread were lost; comes before the first event after the loss.
   *
   * @param lost how many; {@link dev.kymo.reader.EventSink#UNKNOWN}; 0 = counted with another
   *     thread
   */
  default void gap(ThreadCalls thread, long from, long to, long lost) {}
}
