package dev.kymo.testkit.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Ends the programs of a test that takes too long, so that the test fails with what they waited for
 * instead of waiting for ever. A test waits either for a program, or in a wait with an end of its
 * own.
 */
final class Watchdog {
  /** Longer than any test takes on a machine with twenty busy neighbours. */
  private static final long PATIENCE_MINUTES = Long.getLong("test.patience", 30);

  private final Map<String, Long> running = new ConcurrentHashMap<>();
  private boolean started;

  /** Begins to watch, if it does not yet. */
  synchronized void start() {
    if (!started) {
      started = true;
      Thread thread = new Thread(this::watch, "test watchdog");
      thread.setDaemon(true);
      thread.start();
    }
  }

  void begun(String test) {
    running.put(test, System.nanoTime());
  }

  void ended(String test) {
    running.remove(test);
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(1000);
        running.forEach(this::look);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(String test, long begun) {
    if (System.nanoTime() - begun < TimeUnit.MINUTES.toNanos(PATIENCE_MINUTES)) {
      return;
    }
    running.remove(test);
    StringBuilder text = new StringBuilder();
    text.append("test hangs, its programs are ended: test=").append(test);
    text.append(" minutes=").append(PATIENCE_MINUTES).append('\n');
    Thread.getAllStackTraces()
        .forEach((thread, stack) -> {
          text.append(thread).append('\n');
          for (StackTraceElement element : stack) {
            text.append("  at ").append(element).append('\n');
          }
        });
    List<ProcessHandle> programs = new ArrayList<>();
    ProcessHandle.current().descendants().forEach(programs::add);
    text.append(HangingPrograms.end(programs));
    System.err.println(text);
  }
}
