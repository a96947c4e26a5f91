package dev.kymo.recorder;

import dev.kymo.format.Definition.MethodMode;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What probes may cost. Each ring has a credit, which grows with time and is spent on records; when
 * it is used up, the {@link Governor} is woken, and finds out which methods are to be recorded with
 * less. Saving up a little lets a short burst pass unharmed.
 *
 * <p>Costs are in clock ticks of a call, enter and leave together.
 */
final class Budget {
  /** Probes cost a program more than they cost in a loop of their own: caches, inlining. */
  private static final double IN_A_PROGRAM = 6;

  /** What is not spent is kept for so long. */
  private static final double SAVED_SECONDS = 0.2;

  private final double share;
  private volatile double ticksPerSecond;
  private volatile double[] costs = new double[4];
  private volatile @Nullable Thread governor;

  /**
   * A budget.
   *
   * @param millionths of a thread's time, 0 = any
   * @param ticksPerSecond of the clock, about
   */
  Budget(int millionths, double ticksPerSecond) {
    this.share = millionths / 1e6;
    this.ticksPerSecond = ticksPerSecond;
  }

  /** Sets what was measured; ticks of a call in a loop. */
  void costs(double events, double timed, double sampled) {
    double[] measured = new double[4];
    measured[MethodMode.EVENTS] = events * IN_A_PROGRAM;
    measured[MethodMode.TIMED] = timed * IN_A_PROGRAM;
    measured[MethodMode.SAMPLED] = sampled * IN_A_PROGRAM;
    costs = measured;
  }

  void ticksPerSecond(double measured) {
    ticksPerSecond = measured;
  }

  void governor(Thread thread) {
    governor = thread;
  }

  void wakeGovernor() {
    LockSupport.unpark(governor);
  }

  boolean isLimited() {
    return share > 0;
  }

  /** Part of a thread's time. */
  double share() {
    return share;
  }

  double cost(int mode) {
    return costs[mode];
  }

  double ticksPerSecond() {
    return ticksPerSecond;
  }

  /** What a ring begins with. */
  long initialCredit() {
    return (long) (share * SAVED_SECONDS * ticksPerSecond);
  }

  /** A ring's owner, or a virtual thread on it, has closed a packet. */
  void packet(Ring ring, long begin, long now, int bytes) {
    if (share == 0) {
      return;
    }
    double spent = costs[MethodMode.EVENTS] * bytes / (2 * Long.BYTES);
    ring.spent += spent;
    if (begin < ring.creditFrom) {
      return;
    }
    double earned = share * (double) (now - Math.max(ring.closedAt, ring.creditFrom));
    double saved = Math.min((double) initialCredit(), (double) ring.credit + earned);
    ring.closedAt = now;
    ring.credit = (long) (saved - spent);
    if (ring.credit < 0 && !ring.overBudget) {
      ring.overBudget = true;
      wakeGovernor();
    }
  }
}
