package dev.kymo.cli.mcp;

import dev.kymo.query.ask.Questions;
import java.sql.SQLException;

/** Ends a question in SQL that nobody wants any more. */
final class CancelWatch implements AutoCloseable {
  private static final long LOOK_MILLIS = 20;

  private final Questions questions;
  private final Asked asked;
  private final Thread thread;

  CancelWatch(Questions questions, Asked asked) {
    this.questions = questions;
    this.asked = asked;
    this.thread = Thread.ofVirtual().name("kymo cancels").start(this::watch);
  }

  /** The question may not have begun yet: it is ended again and again. */
  private void watch() {
    try {
      while (true) {
        Thread.sleep(LOOK_MILLIS);
        if (asked.isCancelled()) {
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
