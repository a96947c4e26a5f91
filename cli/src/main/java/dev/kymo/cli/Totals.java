package dev.kymo.cli;

import dev.kymo.analysis.Progress;
import dev.kymo.analysis.WholeTotals;
import dev.kymo.model.Timeline;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * Has ready, beside everything else, what is asked about whole recordings: taken from the index, or
 * made once. A recording that grows comes when it is complete.
 */
final class Totals implements AutoCloseable {
  private static final long POLL_MILLIS = 500;

  private final List<Timeline> timelines;
  private final Progress progress = new Progress();
  private final Thread worker;

  Totals(List<Timeline> timelines) {
    this.timelines = timelines;
    worker = Thread.ofPlatform().daemon().name("kymo-totals").start(this::prepare);
  }

  private void prepare() {
    for (Timeline timeline : timelines) {
      try {
        while (timeline.growing()) {
          Thread.sleep(POLL_MILLIS);
        }
        WholeTotals.prepare(timeline, progress);
      } catch (InterruptedException | CancellationException e) {
        return; // closed
      } catch (RuntimeException | OutOfMemoryError e) {
        // Then each question reads the calls it is about, and says what is wrong.
      }
    }
  }

  /** Gives up what is not made yet; the timelines are no longer used. */
  @Override
  public void close() {
    progress.giveUp();
    worker.interrupt();
    try {
      worker.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
