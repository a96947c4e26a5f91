package dev.kymo.cli.query;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.query.ask.Questions;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Shows a person that a question takes time, until its first row is there. */
final class AskedProgress implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final String CLEAR = "\r\033[K";

  /** Other messages cannot have control characters. */
  private static final PrintStream ERR =
      new PrintStream(new FileOutputStream(FileDescriptor.err), false, StandardCharsets.UTF_8);

  private final @Nullable Thread thread;

  private AskedProgress(@Nullable Thread thread) {
    this.thread = thread;
  }

  static AskedProgress show(Questions questions) {
    boolean person = Terminal.hasPerson();
    return new AskedProgress(
        person
            ? Thread.ofVirtual().name("kymo-asked").start(() -> show(questions, System.nanoTime()))
            : null);
  }

  private static void show(Questions questions, long since) {
    boolean shown = false;
    try {
      while (true) {
        Thread.sleep(PATIENCE);
        double share = questions.progress();
        String known = share < 0 ? "" : "%.0f %%, ".formatted(share * 100);
        shown = true;
        write(
            "\rkymo: asked, %s%d s; Ctrl-C ends the question\033[K"
                .formatted(known, (System.nanoTime() - since) / 1_000_000_000));
      }
    } catch (InterruptedException e) {
      if (shown) {
        clear();
      }
    }
  }

  /** Removes what was shown while recordings were opened. */
  static void clear() {
    write(CLEAR);
  }

  private static void write(String text) {
    ERR.print(text);
    ERR.flush();
  }

  /** Ends when there are rows. */
  Questions.Taker until(Questions.Taker taker) {
    return new Questions.Taker() {
      @Override
      public void columns(ResultSet answer) throws SQLException {
        close();
        taker.columns(answer);
      }

      @Override
      public boolean row(ResultSet answer) throws SQLException {
        return taker.row(answer);
      }
    };
  }

  @Override
  public void close() {
    if (thread != null) {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
