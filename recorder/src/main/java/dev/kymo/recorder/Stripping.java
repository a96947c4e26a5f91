package dev.kymo.recorder;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Takes the probes out of methods that are left out for longer: a probe that is off costs next to
 * nothing, but the JIT compiler still sees it. Weaving stops the program for a moment, so it is
 * done for many methods at once, and less and less often. Used by the governor's thread.
 */
final class Stripping {
  private static final double FIRST_PAUSE_SECONDS = 1;
  private static final double LONGEST_PAUSE_SECONDS = 60;
  private static final double GROWTH = 1.3;

  private final Consumer<Runnable> background;
  private final Set<Integer> stripped = new HashSet<>();
  private final Set<Integer> wanted = new HashSet<>();
  private final Set<Integer> unwanted = new HashSet<>();
  private Reweaver reweaver = (without, changed) -> {};
  private double pause = FIRST_PAUSE_SECONDS;
  private long doneAt = Long.MIN_VALUE;
  private volatile boolean busy;

  /**
   * Nothing stripped.
   *
   * @param background runs something on a thread of its own
   */
  Stripping(Consumer<Runnable> background) {
    this.background = background;
  }

  void reweaver(Reweaver agent) {
    reweaver = agent;
  }

  /** Whether the probes of a method are, or are being, taken out. */
  boolean isStripped(int method) {
    return stripped.contains(method);
  }

  /** The method is to have no probes. */
  void strip(int method) {
    if (!stripped.contains(method)) {
      wanted.add(method);
    }
  }

  /** The method is to have probes again. */
  void restore(int method) {
    wanted.remove(method);
    if (stripped.contains(method)) {
      unwanted.add(method);
    }
  }

  /** Does what is wanted, if it is time. */
  void round(long now, double ticksPerSecond) {
    boolean due = doneAt == Long.MIN_VALUE || now - doneAt > pause * ticksPerSecond;
    if (busy || !due || (wanted.isEmpty() && unwanted.isEmpty())) {
      return;
    }
    pause = Math.min(LONGEST_PAUSE_SECONDS, pause * GROWTH);
    doneAt = now;
    Set<Integer> changed = new HashSet<>(wanted);
    changed.addAll(unwanted);
    stripped.addAll(wanted);
    stripped.removeAll(unwanted);
    wanted.clear();
    unwanted.clear();
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
  }

  /** Whether classes are being woven: what is to have probes again may not have them yet. */
  boolean isBusy() {
    return busy;
  }
}
