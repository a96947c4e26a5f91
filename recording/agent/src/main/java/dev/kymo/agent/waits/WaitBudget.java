package dev.kymo.agent;

import dev.kymo.recorder.OwnThreads;

/**
 * Whether what is recorded beside the calls fits the budget: its start, of which the cost is known
 * only roughly, and then what its threads take.
 */
final class WaitBudget {
  /** What is taken for the budget where there is none: short programs are not kept waiting. */
  private static final int ORDINARY = 50_000;

  // Processor time that starting takes, nanoseconds; measured: see bench/README.md.
  private static final long PARKS = 150_000_000;
  private static final long FLIGHT_RECORDER = 900_000_000;
  private static final long OLD_FLIGHT_RECORDER = 1_300_000_000;

  /** Processor time that one event takes to be read and written, nanoseconds; rather more. */
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
   * @param budget millionths, 0 = any
   */
  WaitBudget(int budget) {
    this.budget = budget;
  }

  /** Whether parks may begin to be recorded, and looks at the threads. */
  boolean allowsParks() {
    return allows(PARKS);
  }

  /** Whether the flight recorder may start as well. */
  boolean allowsFlightRecorder() {
    return allows(
        PARKS + (Runtime.version().feature() < 21 ? OLD_FLIGHT_RECORDER : FLIGHT_RECORDER));
  }

  /** Whether a cost is within the budget of the time that has passed. */
  private boolean allows(long nanos) {
    long share = budget == 0 ? ORDINARY : budget;
    return (System.nanoTime() - begin) / MILLION * share >= nanos;
  }

  /** It has started. */
  void started() {
    periodBegin = System.nanoTime();
    cpuBegin = OwnThreads.cpuNanos();
  }

  /** Whether a period is over, of which {@link #excess} then tells. */
  boolean isPeriodOver() {
    return budget != 0 && System.nanoTime() - periodBegin >= PERIOD_NANOS;
  }

  /**
   * Share of the time, in millionths, that the period took too much of; 0 if it was within the
   * budget, or could not have been without what there was most of.
   *
   * @param most number of events of the commonest kind
   */
  long excess(int most) {
    long now = System.nanoTime();
    long cpu = OwnThreads.cpuNanos();
    long share = excess(cpu - cpuBegin, now - periodBegin, most, budget);
    periodBegin = now;
    cpuBegin = cpu;
    return share;
  }

  /** The same of known numbers. */
  static long excess(long cpu, long time, int most, int budget) {
    long share = cpu / (time / MILLION);
    long over = cpu - time / MILLION * budget;
    // Our threads weave and measure, too: less is no gain if they would take too much all the same.
    return over > 0 && most * ONE >= over ? share : 0;
  }

  /** In millionths. */
  int budget() {
    return budget;
  }
}
