package dev.kymo.analysis.selection;

import dev.kymo.model.calls.ProgressListener;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Progress of a computation, and whether it is still wanted. Safe for use by several threads.
 *
 * <p>It does not interrupt: that would close the file which the interrupted thread is reading.
 */
public final class Progress {
  private static final long PARTS = 1_000_000;

  private final AtomicLong done = new AtomicLong();
  private volatile long total = 1;
  private volatile boolean givenUp;

  public Progress() {}

  /** Share that is done: 0 to 1. */
  public double share() {
    return Math.min(1, (double) done.get() / total);
  }

  /** Nobody wants the result any more. */
  public void giveUp() {
    givenUp = true;
  }

  public boolean isGivenUp() {
    return givenUp;
  }

  /**
   * To be called often.
   *
   * @throws CancellationException if nobody wants the result any more
   */
  public void check() {
    if (givenUp) {
      throw new CancellationException("nobody wants it any more");
    }
  }

  /** Takes how far reading has come; throws as {@link #check} does. */
  public ProgressListener listener() {
    return (read, all) -> {
      check();
      expect(all);
      done.set(read);
    };
  }

  /** Expects an amount of work, more or less. */
  public void expect(long work) {
    total = Math.max(1, work);
  }

  /** So much is done of what another process computes: 0 to 1. */
  public void reach(double share) {
    total = PARTS;
    done.set(Math.round(share * PARTS));
  }

  public void add(long work) {
    done.addAndGet(work);
  }
}
