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
