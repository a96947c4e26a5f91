package dev.kymo.agent;

import java.lang.reflect.Field;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The flight recorder ends at the same time as the program's other shutdown hooks run, and would
 * take our last events with it. So its hook is taken from the virtual machine, and run when they
 * have been read.
 */
final class FlightRecorderExit {
  private static final String HOOK = "JFR Shutdown Hook";

  /** How long an exit waits for the end of a flight recorder that nobody but us has used. */
  private static final long PATIENCE_MILLIS = 300;

  private volatile @Nullable Thread hook;
  private volatile boolean programs;

  /**
   * Takes the hook; false when the virtual machine has begun to go down, and with it perhaps the
   * flight recorder: who starts a recording then may never come back, and would keep the hook from
   * ending.
   */
  boolean takeHook() {
    try {
      Class<?> all = Class.forName("java.lang.ApplicationShutdownHooks");
      Field field = all.getDeclaredField("hooks");
      field.setAccessible(true);
      synchronized (all) { // its methods are, too
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

  /** Whether the program has flight recordings of its own, which are to be written at its end. */
  void isForProgram(boolean has) {
    programs = has;
  }

  /** The recording stops: as if nothing had been taken. */
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

  /** The program ends, and our events have been read. */
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
