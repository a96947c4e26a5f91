package dev.kymo.agent.waits;

import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.Map;

/** The classes of threads: whoever waits for one of their objects joins it. */
final class ThreadClasses {
  private final Instrumentation instrumentation;
  private final Map<String, Boolean> known = new HashMap<>();

  ThreadClasses(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /**
   * Whether a class of this name is a thread. The first call for each name looks at all loaded
   * classes.
   */
  boolean contains(String name) {
    return known.computeIfAbsent(name, this::look);
  }

  private boolean look(String name) {
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (Thread.class.isAssignableFrom(type) && type.getName().equals(name)) {
        return true;
      }
    }
    return false;
  }
}
