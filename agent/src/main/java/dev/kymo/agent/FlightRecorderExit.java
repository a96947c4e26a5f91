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

  private @Nullable Thread hook;

  void takeHook() {
    try {
      Class<?> all = Class.forName("java.lang.ApplicationShutdownHooks");
      Field field = all.getDeclaredField("hooks");
      field.setAccessible(true);
      synchronized (all) { // its methods are, too
        if (field.get(null) instanceof Map<?, ?> hooks) {
          for (Object key : hooks.keySet()) {
            if (key instanceof Thread thread && thread.getName().equals(HOOK)) {
              hook = thread;
            }
          }
          if (hook != null) {
            hooks.remove(hook);
          }
        }
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      // another version of the JDK: the last events may be missing
    }
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

  private static void run(Thread hook) {
    hook.start();
    try {
      hook.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
