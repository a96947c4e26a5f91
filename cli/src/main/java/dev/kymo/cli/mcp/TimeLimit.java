package dev.kymo.cli.mcp;

import dev.kymo.query.ask.Questions;
import java.sql.SQLException;
import java.time.Duration;

/** Ends a question that nobody wants any more, or that takes too long. */
final class TimeLimit implements AutoCloseable {
  private static final long LOOK_MILLIS = 20;

  private final Questions questions;
  private final Asked asked;
  private final long end;
  private final Thread thread;
  private volatile boolean over;

  TimeLimit(Questions questions, Asked asked, long seconds) {
    this.questions = questions;
    this.asked = asked;
    this.end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    this.thread = Thread.ofVirtual().name("kymo time limit").start(this::watch);
  }

  /** The question may not have begun yet: it is ended again and again. */
  private void watch() {
    try {
      while (true) {
        Thread.sleep(LOOK_MILLIS);
        over |= System.nanoTime() - end > 0;
        if (over || asked.isCancelled()) {
          questions.cancel();
        }
      }
    } catch (InterruptedException | SQLException e) {
      // the question has been answered, or is over
    }
  }

  /** Whether it took too long. */
  boolean isOver() {
    return over;
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
