package dev.kymo.agent.waits;

import java.lang.reflect.Field;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Delays the flight recorder's own shutdown hook. The hook would run beside the other hooks, and
 * the last events would be lost. So it is taken from the virtual machine, and run when they have
 * been read.
 */
final class FlightRecorderExit {
  private static final String HOOK = "JFR Shutdown Hook";

  /** How long an exit waits for the end of a flight recorder that only Kymo has used. */
  private static final long PATIENCE_MILLIS = 300;

  private volatile @Nullable Thread hook;
  private volatile boolean programs;

  /**
   * Takes the hook; false if the virtual machine has begun to shut down, and perhaps the flight
   * recorder with it. A thread that starts a recording then may never return, and would keep the
   * hook from ending.
   */
  boolean takeHook() {
    try {
      Class<?> all = Class.forName("java.lang.ApplicationShutdownHooks");
      Field field = all.getDeclaredField("hooks");
      field.setAccessible(true);
      synchronized (all) { // its methods are synchronized, too
        if (!(field.get(null) instanceof Map<?, ?> hooks)) {
          return false;
        }
        for (Object key : hooks.keySet()) {
          if (key instanceof Thread thread && thread.getName().equals(HOOK)) {
            hook = thread;
          }
        }
        if (hook != null) {
          hooks.remove(hook);
        }
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      // another version of the JDK: the last events may be missing
    }
    return true;
  }

  /** Whether the program has flight recordings of its own, which must be written at its end. */
  void isForProgram(boolean has) {
    programs = has;
  }

  /** Puts the hook back when the recording stops. */
  void giveBack() {
    Thread taken = hook;
    hook = null;
    if (taken != null) {
      try {
        Runtime.getRuntime().addShutdownHook(taken);
      } catch (IllegalStateException e) {
        run(taken); // the program is about to end
      }
    }
  }

  /** Runs the hook when the program ends and the events have been read. */
  void run() {
    Thread taken = hook;
    hook = null;
    if (taken != null) {
      run(taken);
    }
  }

  private void run(Thread taken) {
    taken.start();
    try {
      taken.join(programs ? 0 : PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
