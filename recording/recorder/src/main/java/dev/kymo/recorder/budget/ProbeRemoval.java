package dev.kymo.recorder.budget;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Removes the probes of methods that will be left out. Weaving classes again stops the program for
 * a moment, and costs it far more: all code that was compiled with them is compiled again. So it is
 * done only when the probes together have cost as much as that. Used by the governor's thread.
 */
public final class ProbeRemoval {
  /** Maximum cost of compiling a program again, as a share of its running time. */
  private static final double COMPILED_AGAIN = 0.1;

  /** Seconds that compiling a program again takes, at most. */
  private static final double LONGEST_COMPILED_AGAIN = 2;

  private static final double SHORTEST_PAUSE_SECONDS = 1;

  /** The value of giving some methods probes again; share of a thread's time. */
  private static final double PROBES_AGAIN = LONGEST_COMPILED_AGAIN / 600;

  /** At most this many methods get probes again at once: most of them will lose them again. */
  private static final int RESTORED_AT_ONCE = 8;

  private final Consumer<Runnable> background;
  private final Set<Integer> stripped = new HashSet<>();

  /** Methods that will lose their probes, and the cost of these probes. */
  private final Map<Integer, Double> losing = new ConcurrentHashMap<>();

  /** Methods that will get probes again. */
  private final Set<Integer> restored = new HashSet<>();

  private @Nullable Reweaver reweaver;

  /** Methods whose classes must not be woven again, and all methods of these classes. */
  private Set<Integer> runningBefore = Set.of();

  private Set<Integer> waiting = Set.of();
  private final long begun;
  private long lookedAt;
  private long doneAt;

  /** Ticks that would have been saved by weaving when it was requested. */
  private double missed;

  private volatile boolean busy;

  /**
   * Begins with no probes removed.
   *
   * @param background runs something on a thread of its own
   * @param now clock
   */
  public ProbeRemoval(Consumer<Runnable> background, long now) {
    this.background = background;
    this.begun = now;
    this.lookedAt = now;
    this.doneAt = now;
  }

  public void reweaver(Reweaver agent) {
    reweaver = agent;
  }

  /** Whether the probes of a method were removed or are being removed. */
  boolean isStripped(int method) {
    return stripped.contains(method);
  }

  /** The method's class was woven without its probes. */
  void isWithout(int method) {
    stripped.add(method);
  }

  /**
   * Requests that a method has no probes.
   *
   * @param cost share of a thread's time that the probes take
   */
  void strip(int method, double cost) {
    if (!stripped.contains(method)) {
      losing.put(method, cost);
    }
  }

  /** Requests that a method keeps its probes, or gets them again unless too many methods do. */
  void restore(int method) {
    losing.remove(method);
    if (stripped.contains(method) && restored.size() < RESTORED_AT_ONCE) {
      restored.add(method);
    }
  }

  boolean isToLose(int method) {
    return losing.containsKey(method);
  }

  /**
   * Carries out the requests when it is time.
   *
   * @param longCalls methods whose classes must not be woven again now; no class is woven before
   *     they are known
   * @return the methods that lose their probes
   */
  Set<Integer> round(long now, double ticksPerSecond, LongCalls longCalls) {
    long before = lookedAt;
    lookedAt = now;
    Reweaver agent = reweaver;
    if (agent == null || (losing.isEmpty() && restored.isEmpty())) {
      return Set.of();
    }
    Set<Integer> running = longCalls.methods();
    if (!running.equals(runningBefore)) {
      runningBefore = Set.copyOf(running);
      waiting = running.isEmpty() ? Set.of() : agent.wovenWith(running);
    }
    Set<Integer> lost = new HashSet<>(losing.keySet());
    lost.removeAll(waiting);
    Set<Integer> back = new HashSet<>(restored);
    back.removeAll(waiting);
    double worth = back.isEmpty() ? 0 : PROBES_AGAIN;
    for (int method : lost) {
      worth += losing.getOrDefault(method, 0.0);
    }
    missed += worth * (now - before);
    double compiledAgain =
        Math.min(LONGEST_COMPILED_AGAIN * ticksPerSecond, COMPILED_AGAIN * (now - begun));
    if (busy
        || (lost.isEmpty() && back.isEmpty())
        || missed < compiledAgain
        || now - doneAt < SHORTEST_PAUSE_SECONDS * ticksPerSecond
        || !longCalls.isKnown()) {
      return Set.of();
    }
    doneAt = now;
    missed = 0;
    Set<Integer> changed = new HashSet<>(lost);
    changed.addAll(back);
    stripped.removeAll(back);
    stripped.addAll(lost);
    losing.keySet().removeAll(lost);
    restored.removeAll(back);
    Set<Integer> without = new HashSet<>(stripped);
    busy = true;
    background.accept(() -> {
      try {
        agent.reweave(without, changed);
      } finally {
        busy = false;
      }
    });
    return lost;
  }

  /** Whether classes are being woven: methods that will get probes again may not have them yet. */
  boolean isBusy() {
    return busy;
  }
}
