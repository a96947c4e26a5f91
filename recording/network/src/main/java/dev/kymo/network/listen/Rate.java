package dev.kymo.network.listen;

import java.util.concurrent.TimeUnit;

/** Keeps a sender to so many bytes a second: by not reading faster, so that it waits. */
final class Rate {
  private static final double BURST_SECONDS = 0.1;

  private final long bytesPerSecond;
  private final long begun = System.nanoTime();

  /** A rate; 0 = any. */
  Rate(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Waits until so many bytes may have come since the beginning. */
  void await(long bytes) throws InterruptedException {
    if (bytesPerSecond > 0) {
      double due = (double) bytes / bytesPerSecond - BURST_SECONDS;
      double elapsed = (System.nanoTime() - begun) / (double) TimeUnit.SECONDS.toNanos(1);
      if (due > elapsed) {
        Thread.sleep((long) ((due - elapsed) * TimeUnit.SECONDS.toMillis(1)));
      }
    }
  }
}
