package dev.kymo.kernel.daemon;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Passes on a limited number of messages at a time, so that no client's requests fill a disk. */
final class LimitedLog implements Consumer<String> {
  private static final int MOST = 20;
  private static final long TIME_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Consumer<String> to;
  private long since = System.nanoTime();
  private int passed;
  private long leftOut;

  LimitedLog(Consumer<String> to) {
    this.to = to;
  }

  @Override
  public synchronized void accept(String message) {
    long now = System.nanoTime();
    if (now - since > TIME_NANOS) {
      since = now;
      passed = 0;
      if (leftOut > 0) {
        to.accept("messages were left out: count=" + leftOut);
        leftOut = 0;
      }
    }
    if (passed++ < MOST) {
      to.accept(message);
    } else {
      leftOut++;
    }
  }
}
