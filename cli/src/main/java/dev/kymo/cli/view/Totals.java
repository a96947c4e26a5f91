package dev.kymo.cli.view;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.whole.WholeTotals;
import dev.kymo.model.timeline.Timeline;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Prepares, in the background, the totals of whole recordings: taken from the index, or computed
 * once. A growing recording is prepared when it is complete.
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
      // Then each question reads its calls and reports what is wrong.
    }
  }

  /** Gives up what is not ready yet; the timelines are no longer used. */
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
