package dev.kymo.agent.waits;

import dev.kymo.recorder.platform.RecorderCost;

/**
 * Decides whether the recording of waits and events of the virtual machine fits the budget: first
 * its start, whose cost is known only roughly, and then the cost of its threads.
 */
final class WaitBudget {
  /** The budget that is assumed if there is none: short programs must not be delayed. */
  private static final int ORDINARY = 50_000;

  /** Processor time that starting parks takes, nanoseconds: see testing/bench/README.md. */
  private static final long PARKS = 150_000_000;

  /** Processor time to read and write one event, in nanoseconds; a high estimate. */
  private static final long ONE = 20_000;

  private static final long MILLION = 1_000_000;
  private static final long PERIOD_NANOS = 5_000_000_000L;

  private final int budget;
  private final long begin = System.nanoTime();
  private long periodBegin;
  private long cpuBegin;

  /**
   * Starts the clock.
   *
   * @param budget millionths, 0 = unlimited
   */
  WaitBudget(int budget) {
    this.budget = budget;
  }

  boolean allowsParks() {
    long share = budget == 0 ? ORDINARY : budget;
    return (System.nanoTime() - begin) / MILLION * share >= PARKS;
  }

  void started() {
    periodBegin = System.nanoTime();
    cpuBegin = RecorderCost.cpuNanos();
  }

  /** Whether a period is over; then {@link #excess} reports on it. */
  boolean isPeriodOver() {
    return budget != 0 && System.nanoTime() - periodBegin >= PERIOD_NANOS;
  }

  /**
   * Share of the time, in millionths, that the period used, if this was too much; 0 if it was
   * within the budget, or would have exceeded it even without the most frequent events.
   *
   * @param most number of events of the most frequent kind
   */
  long excess(int most) {
    long now = System.nanoTime();
    long cpu = RecorderCost.cpuNanos();
    long share = excess(cpu - cpuBegin, now - periodBegin, most, budget);
    periodBegin = now;
    cpuBegin = cpu;
    return share;
  }

  /** As {@link #excess(int)}, with given numbers. */
  static long excess(long cpu, long time, int most, int budget) {
    long share = cpu / (time / MILLION);
    long over = cpu - time / MILLION * budget;
    // Kymo's threads weave and measure, too: dropping events does not help if they would exceed it
    // anyway.
    return over > 0 && most * ONE >= over ? share : 0;
  }

  /** Returns a share in millionths. */
  int budget() {
    return budget;
  }
}
