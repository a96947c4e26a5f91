package dev.kymo.recorder;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Takes the probes out of methods that are to be left out. Weaving classes anew stops the program
 * for a moment, and costs it far more: whatever was compiled with them is compiled again. So it is
 * done when the probes have cost as much as that, all together, and not before. Used by the
 * governor's thread.
 */
final class Stripping {
  /** Part of the time that a program has run which compiling it again takes, at most. */
  private static final double COMPILED_AGAIN = 0.02;

  /** Seconds that compiling a program again takes, at most. */
  private static final double LONGEST_COMPILED_AGAIN = 2;

  private static final double SHORTEST_PAUSE_SECONDS = 1;

  /** What a method that is to have probes again is worth; part of a thread's time. */
  private static final double PROBES_AGAIN = LONGEST_COMPILED_AGAIN / 600;

  private final Consumer<Runnable> background;
  private final Set<Integer> stripped = new HashSet<>();

  /** Methods that are to lose or get back their probes, and what that is worth. */
  private final Map<Integer, Double> wanted = new HashMap<>();

  private Reweaver reweaver = (without, changed) -> {};
  private final long begun;
  private long lookedAt;
  private long doneAt;

  /** Ticks that weaving when it was wanted would have saved. */
  private double missed;

  private volatile boolean busy;

  /**
   * Nothing stripped.
   *
   * @param background runs something on a thread of its own
   * @param now clock
   */
  Stripping(Consumer<Runnable> background, long now) {
    this.background = background;
    this.begun = now;
    this.lookedAt = now;
    this.doneAt = now;
  }

  void reweaver(Reweaver agent) {
    reweaver = agent;
  }

  /** Whether the probes of a method are, or are being, taken out. */
  boolean isStripped(int method) {
    return stripped.contains(method);
  }

  /**
   * The method is to have no probes.
   *
   * @param cost part of a thread's time that they take
   */
  void strip(int method, double cost) {
    if (!stripped.contains(method)) {
      wanted.put(method, cost);
    }
  }

  /** The method is to have probes again. */
  void restore(int method) {
    if (stripped.contains(method)) {
      wanted.put(method, PROBES_AGAIN);
    } else {
      wanted.remove(method);
    }
  }

  /** Whether the method has probes, and is to lose them. */
  boolean isToLose(int method) {
    return wanted.containsKey(method) && !stripped.contains(method);
  }

  /** Does what is wanted, if it is time; returns the methods that lose their probes. */
  Set<Integer> round(long now, double ticksPerSecond) {
    double worth = 0;
    for (double share : wanted.values()) {
      worth += share;
    }
    missed += worth * (now - lookedAt);
    lookedAt = now;
    double compiledAgain =
        Math.min(LONGEST_COMPILED_AGAIN * ticksPerSecond, COMPILED_AGAIN * (now - begun));
    if (busy
        || wanted.isEmpty()
        || missed < compiledAgain
        || now - doneAt < SHORTEST_PAUSE_SECONDS * ticksPerSecond) {
      return Set.of();
    }
    doneAt = now;
    missed = 0;
    Set<Integer> changed = new HashSet<>(wanted.keySet());
    Set<Integer> losing = new HashSet<>(changed);
    losing.removeAll(stripped);
    stripped.removeAll(changed);
    stripped.addAll(losing);
    wanted.clear();
    Set<Integer> without = new HashSet<>(stripped);
    Reweaver agent = reweaver;
    busy = true;
    background.accept(() -> {
      try {
        agent.reweave(without, changed);
      } finally {
        busy = false;
      }
    });
    return losing;
  }

  /** Whether classes are being woven: what is to have probes again may not have them yet. */
  boolean isBusy() {
    return busy;
  }
}
