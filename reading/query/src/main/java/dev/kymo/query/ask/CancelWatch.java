package dev.kymo.query.ask;

import dev.kymo.analysis.selection.Progress;
import java.sql.SQLException;

/** Ends a question in SQL that nobody wants any more. */
public final class CancelWatch implements AutoCloseable {
  private static final long LOOK_MILLIS = 20;

  private final Questions questions;
  private final Progress progress;
  private final Thread thread;

  /** Watches from now on. */
  public CancelWatch(Questions questions, Progress progress) {
    this.questions = questions;
    this.progress = progress;
    this.thread = Thread.ofVirtual().name("kymo cancels").start(this::watch);
  }

  /** The question may not have begun yet: it is ended again and again. */
  private void watch() {
    try {
      while (true) {
        Thread.sleep(LOOK_MILLIS);
        if (progress.isGivenUp()) {
          questions.cancel();
        }
      }
    } catch (InterruptedException | SQLException e) {
      // the question has been answered, or is over
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(); // or it would end the next question
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
