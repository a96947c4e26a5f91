package dev.kymo.cli;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What a command has to undo when it ends, however it does: also by an interrupt. */
final class Cleanup {
  /** Another thread may still write while the program is interrupted. */
  private static final int ATTEMPTS = 5;

  private static final long PAUSE_MILLIS = 20;

  private final Deque<Step> steps = new ArrayDeque<>();
  private @Nullable Thread hook;

  /** Undoes something. */
  interface Step {
    /** Does it; once more if it failed. */
    void run() throws IOException;
  }

  /** Will be done, before what was added earlier is undone. */
  synchronized void add(Step step) {
    steps.push(step);
    if (hook == null) {
      hook = new Thread(this::undo, "kymo cleanup");
      Runtime.getRuntime().addShutdownHook(hook);
    }
  }

  /** The command has ended. */
  void run() {
    undo();
    Thread known = hook;
    if (known != null) {
      try {
        Runtime.getRuntime().removeShutdownHook(known);
      } catch (IllegalStateException e) {
        // the program ends already: it finds nothing left to undo
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
