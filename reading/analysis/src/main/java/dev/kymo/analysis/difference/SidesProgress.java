package dev.kymo.analysis.difference;

import dev.kymo.model.calls.ProgressListener;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Adds up how far two threads have come, each of which reads one side, and hears from the listener
 * of both whether to go on.
 */
final class SidesProgress {
  private final ProgressListener listener;

  /** By side; used with the lock held, as is the listener. */
  private final long[] done = new long[2];

  private final long[] total = new long[2];

  /** Why reading ends early, for both sides; null = it goes on. */
  private @Nullable RuntimeException reason;

  SidesProgress(ProgressListener listener) {
    this.listener = listener;
  }

  /** For the thread of a side. */
  ProgressListener of(Side side) {
    return (read, all) -> progress(side.index(), read, all);
  }

  private synchronized void progress(int side, long read, long all) {
    if (reason != null) {
      throw reason;
    }
    done[side] = read;
    total[side] = all;
    try {
      listener.progress(done[0] + done[1], total[0] + total[1]);
    } catch (RuntimeException e) {
      reason = e;
      throw e;
    }
  }

  /** Ends the reading of both sides when they report next. */
  synchronized void giveUp() {
    if (reason == null) {
      reason = new CancellationException("the other side ended");
    }
  }
}
