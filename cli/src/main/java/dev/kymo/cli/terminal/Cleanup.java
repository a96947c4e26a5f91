package dev.kymo.cli.terminal;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What a command has to undo when it ends, also when it is interrupted. */
public final class Cleanup {
  /** Another thread may still be writing when the program is interrupted. */
  private static final int ATTEMPTS = 5;

  private static final long PAUSE_MILLIS = 20;

  private final Deque<Step> steps = new ArrayDeque<>();
  private @Nullable Thread hook;

  /** Undoes something. */
  public interface Step {
    /** Runs the step; it is repeated if it fails. */
    void run() throws IOException;
  }

  /** Adds a step, which runs before the steps added earlier. */
  public synchronized void add(Step step) {
    steps.push(step);
    if (hook == null) {
      hook = new Thread(this::undo, "kymo cleanup");
      Runtime.getRuntime().addShutdownHook(hook);
    }
  }

  /** The command has ended. */
  public void run() {
    undo();
    Thread known = hook;
    if (known != null) {
      try {
        Runtime.getRuntime().removeShutdownHook(known);
      } catch (IllegalStateException e) {
        // the program is already ending: there is nothing left to undo
      }
    }
  }

  private synchronized void undo() {
    while (!steps.isEmpty()) {
      undo(steps.pop());
    }
  }

  private static void undo(Step step) {
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        step.run();
        return;
      } catch (IOException e) {
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
