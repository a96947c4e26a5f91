package dev.kymo.agent;

import dev.kymo.recorder.OwnThreads;

/**
 * Whether what is recorded beside the calls fits the budget: its start, of which the cost is known
 * only roughly, and then what its threads take.
 */
final class WaitBudget {
  /** What is taken for the budget where there is none: short programs are not kept waiting. */
  private static final int ORDINARY = 50_000;

  private static final long MILLION = 1_000_000;
  private static final long PERIOD_NANOS = 5_000_000_000L;

  private final int budget;
  private final long startCost;
  private final long begin = System.nanoTime();
  private long periodBegin;
  private long cpuBegin;

  /**
   * Starts the clock.
   *
   * @param budget millionths, 0 = any
   */
  WaitBudget(int budget, boolean flightRecorder) {
    this.budget = budget;
    // Processor time, measured: see bench/README.md.
    long flight = Runtime.version().feature() < 21 ? 1_300_000_000L : 900_000_000L;
    this.startCost = flightRecorder ? flight : 100_000_000L;
  }

  /** Whether the cost of starting is within the budget of the time that has passed. */
  boolean allowsStart() {
    long share = budget == 0 ? ORDINARY : budget;
    return (System.nanoTime() - begin) / MILLION * share >= startCost;
  }

  /** It has started. */
  void started() {
    periodBegin = System.nanoTime();
    cpuBegin = OwnThreads.cpuNanos();
  }

  /**
   * Share of the time, in millionths, that the last period took too much of; 0 if it was within the
   * budget, or is not over.
   */
  long excess() {
    long now = System.nanoTime();
    long time = now - periodBegin;
    if (budget == 0 || time < PERIOD_NANOS) {
      return 0;
    }
    long cpu = OwnThreads.cpuNanos();
    long share = (cpu - cpuBegin) / (time / MILLION);
    periodBegin = now;
    cpuBegin = cpu;
    return share > budget ? share : 0;
  }

  /** In millionths. */
  int budget() {
    return budget;
  }
}
