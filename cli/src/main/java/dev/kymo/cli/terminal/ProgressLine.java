package dev.kymo.cli.terminal;

import dev.kymo.model.calls.ProgressListener;
import java.io.PrintStream;

/** A line on the terminal that shows the progress of work that takes longer than 0.4 s. */
final class ProgressLine implements ProgressListener {
  private static final long EVERY = 200_000_000L;
  private static final int WORTH_A_LOOK = 64 << 20;

  private final PrintStream err;
  private final String what;
  private long next = System.nanoTime() + 2 * EVERY;
  private long looked;
  private boolean shown;

  ProgressLine(PrintStream err, String what) {
    this.err = err;
    this.what = what;
  }

  @Override
  public void progress(long done, long total) {
    if (done < total && done - looked < WORTH_A_LOOK / 64) {
      return;
    }
    looked = done;
    boolean ended = done >= total - total / 50;
    if (ended && shown) {
      err.print("\r\033[K");
      err.flush();
      shown = false;
    } else if (!ended && System.nanoTime() > next) {
      next = System.nanoTime() + EVERY;
      err.printf("\r%s %d %%", what, done * 100 / Math.max(1, total));
      err.flush();
      shown = true;
    }
  }
}
