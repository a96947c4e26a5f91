package dev.kymo.network.send;

import dev.kymo.network.wire.Hello;
import java.io.IOException;
import java.util.function.LongSupplier;

/** A destination of recordings, and the way there. */
public interface Route {
  /** As users write it. */
  String address();

  /** What the receiver wants to see; empty if somebody else decides who may send. */
  default String token() {
    return "";
  }

  /**
   * Begins to send.
   *
   * @param hello who sends, and what
   * @param clock the recording's
   * @throws RefusedException if it may not
   */
  Link open(Hello hello, LongSupplier clock) throws IOException;
}
