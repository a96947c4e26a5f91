package dev.kymo.cli.terminal;

import dev.kymo.model.calls.ProgressListener;
import java.io.PrintStream;
import java.util.function.LongSupplier;

/** A line on the terminal that shows the progress of work that takes longer than 0.4 s. */
final class ProgressLine implements ProgressListener {
  private static final long EVERY = 200_000_000L;

  /** Bytes after which the clock is looked at; of a small file, which may be packed, a part. */
  private static final int WORTH_A_LOOK = 1 << 20;

  private static final int PARTS = 1000;

  private final PrintStream err;
  private final String what;
  private final LongSupplier clock;
  private long next;
  private long looked;
  private boolean shown;

  ProgressLine(PrintStream err, String what) {
    this(err, what, System::nanoTime);
  }

  ProgressLine(PrintStream err, String what, LongSupplier clock) {
    this.err = err;
    this.what = what;
    this.clock = clock;
    this.next = clock.getAsLong() + 2 * EVERY;
  }

  @Override
  public void progress(long done, long total) {
    if (done < total && done - looked < Math.min(WORTH_A_LOOK, total / PARTS)) {
      return;
    }
    looked = done;
    boolean ended = done >= total - total / 50;
    if (ended && shown) {
      err.print("\r\033[K");
      err.flush();
      shown = false;
    } else if (!ended && clock.getAsLong() > next) {
      next = clock.getAsLong() + EVERY;
      err.printf("\r%s %d %%", what, done * 100 / Math.max(1, total));
      err.flush();
      shown = true;
    }
  }
}
