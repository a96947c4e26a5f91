package dev.kymo.cli;

import dev.kymo.analysis.Progress;
import dev.kymo.analysis.WholeTotals;
import dev.kymo.model.Timeline;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Has ready, beside everything else, what is asked about whole recordings: taken from the index, or
 * made once. A recording that grows comes when it is complete.
 */
final class Totals implements AutoCloseable {
  private static final long POLL_MILLIS = 500;

  private final List<Timeline> timelines;
  private final Runnable read;
  private final Progress progress = new Progress();
  private final Thread worker;

  /**
   * Begins.
   *
   * @param read called when all that was written has been read once
   */
  Totals(List<Timeline> timelines, Runnable read) {
    this.timelines = timelines;
    this.read = read;
    worker = Thread.ofPlatform().daemon().name("kymo-totals").start(this::prepare);
  }

  private void prepare() {
    try {
      for (Timeline timeline : timelines) {
        await(() -> timeline.read() < 1);
      }
      read.run();
      for (Timeline timeline : timelines) {
        await(timeline::growing);
        prepare(timeline);
      }
    } catch (InterruptedException | CancellationException e) {
      // closed
    }
  }

  private static void await(BooleanSupplier goesOn) throws InterruptedException {
    while (goesOn.getAsBoolean()) {
      Thread.sleep(POLL_MILLIS);
    }
  }

  private void prepare(Timeline timeline) {
    try {
      WholeTotals.prepare(timeline, progress);
    } catch (CancellationException e) {
      throw e;
    } catch (RuntimeException | OutOfMemoryError e) {
      // Then each question reads the calls it is about, and says what is wrong.
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
