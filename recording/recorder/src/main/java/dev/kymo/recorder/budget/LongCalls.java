package dev.kymo.recorder.budget;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Methods that threads stay in while they keep calling others: most of them are loops. If the class
 * of such a method is woven again, Java interprets the running call until it ends, and a tight loop
 * takes twenty times as long. A look at which no thread came by a probe tells nothing: they wait,
 * or have no processor. Used by the governor's thread.
 */
final class LongCalls {
  /** The weight of earlier looks after one more look. */
  private static final double MEMORY = 0.8;

  /** Share of the looks that must find a method for it to count as one of these. */
  private static final double OFTEN = 0.5;

  /**
   * The methods are known after this number of looks: a call that was found to be long in the
   * second half of them only must still count.
   */
  private static final int KNOWN = 10;

  /** Share of the recent looks that found a method. */
  private final Map<Integer, Double> found = new ConcurrentHashMap<>();

  private final Set<Integer> methods = new HashSet<>();
  private boolean ran;
  private int looks;

  /** A look at all threads has begun. */
  void begin() {
    methods.clear();
    ran = false;
  }

  /** A thread has come by a probe since the look before. */
  void ran() {
    ran = true;
  }

  /** A thread is in a method, and has been for long. */
  void add(int method) {
    methods.add(method);
  }

  void end() {
    if (!ran) {
      return;
    }
    looks++;
    methods.forEach(method -> found.putIfAbsent(method, 0.0));
    found.replaceAll((method, part) -> part * MEMORY + (methods.contains(method) ? 1 - MEMORY : 0));
    found.values().removeIf(part -> part < (1 - MEMORY) / 4);
  }

  /** Whether there were enough looks to know these methods. */
  boolean isKnown() {
    return looks >= KNOWN;
  }

  Set<Integer> methods() {
    Set<Integer> often = new HashSet<>();
    found.forEach((method, part) -> {
      if (part >= OFTEN) {
        often.add(method);
      }
    });
    return often;
  }
}
