package dev.kymo.network.send;

import dev.kymo.format.ClockExchanges.Exchange;
import dev.kymo.network.wire.FrameWriter;
import java.io.IOException;
import java.util.List;

/**
 * A way of frames to the receiver. Its owner, one thread, writes; answers come meanwhile. When it
 * fails, another one is opened.
 */
public interface Link extends AutoCloseable {
  FrameWriter out();

  /** Number of the last mark before which everything is safe, with whoever answers for it. */
  long acknowledged();

  /** Whether everything up to the end of the recording is safe. */
  boolean isDone();

  /**
   * Waits for an answer, at most so long.
   *
   * @throws IOException if the link has failed
   */
  void await(long millis) throws IOException, InterruptedException;

  /** Why it failed, if more is known than what its owner saw. */
  default IOException reason(IOException seen) {
    return seen;
  }

  /** Identity of the receiver's clock; empty = it cannot be asked for. */
  default String receiverClock() {
    return "";
  }

  default void askClock() throws IOException {}

  /** Answers to {@link #askClock} that came since the last time. */
  default List<Exchange> exchanges() {
    return List.of();
  }

  /** Ends it, from any thread. */
  @Override
  void close() throws IOException;
}
