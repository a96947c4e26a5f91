package dev.kymo.recorder;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Methods that threads stay in while they call others all the time: most of them loops. If the
 * class of such a method is woven anew, Java interprets that call until it ends, which takes a
 * tight loop twenty times as long. Used by the governor's thread.
 */
final class LongCalls {
  /** How much of what was seen before counts after one more look. */
  private static final double MEMORY = 0.8;

  /** Part of the looks that find a method which is one of these. */
  private static final double OFTEN = 0.5;

  /** After so many looks it is known. */
  private static final int KNOWN = 15;

  /** Part of the looks that found a method lately. */
  private final Map<Integer, Double> found = new ConcurrentHashMap<>();

  private final Set<Integer> methods = new HashSet<>();
  private int looks;

  /** A look at all threads has begun. */
  void begin() {
    methods.clear();
  }

  /** A thread is in a method, and has been for long. */
  void add(int method) {
    methods.add(method);
  }

  /** The look has ended. */
  void end() {
    looks++;
    methods.forEach(method -> found.putIfAbsent(method, 0.0));
    found.replaceAll((method, part) -> part * MEMORY + (methods.contains(method) ? 1 - MEMORY : 0));
    found.values().removeIf(part -> part < (1 - MEMORY) / 4);
  }

  /** Whether it has been looked for long enough to say which ones there are. */
  boolean isKnown() {
    return looks >= KNOWN;
  }

  /** These methods. */
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
