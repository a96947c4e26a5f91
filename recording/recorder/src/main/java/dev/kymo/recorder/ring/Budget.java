package dev.kymo.recorder.ring;

import dev.kymo.format.Definition.MethodMode;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The allowed cost of probes. Each ring has a {@link RingCredit}; when it is used up, the governor
 * is woken, and determines the methods to record in less detail. Saving up a little lets a short
 * burst pass unharmed.
 *
 * <p>Costs are in clock ticks of a call, enter and leave together.
 *
 * <p>Written by the thread that measures the probes, and once by the recorder when it starts; read
 * by all. New measurements become visible soon, each number by itself.
 */
public final class Budget {
  /** Probes cost a program more than they cost in a loop of their own: caches, inlining. */
  private static final double IN_A_PROGRAM = 6;

  /** Unspent credit is kept for this long. */
  private static final double SAVED_SECONDS = 0.2;

  /** Part of what may be saved that a ring has when its methods have gone down. */
  private static final double CREDIT_AFTER_RELIEF = 0.1;

  private final int millionths;
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
  public Budget(int millionths, double ticksPerSecond) {
    this.millionths = millionths;
    this.share = millionths / 1e6;
    this.ticksPerSecond = ticksPerSecond;
  }

  /** Sets what was measured; ticks of a call in a loop. */
  public void costs(double events, double timed, double sampled) {
    double[] measured = new double[4];
    measured[MethodMode.EVENTS] = events * IN_A_PROGRAM;
    measured[MethodMode.TIMED] = timed * IN_A_PROGRAM;
    measured[MethodMode.SAMPLED] = sampled * IN_A_PROGRAM;
    costs = measured;
  }

  public void ticksPerSecond(double measured) {
    ticksPerSecond = measured;
  }

  public void governor(Thread thread) {
    governor = thread;
  }

  public void wakeGovernor() {
    LockSupport.unpark(governor);
  }

  public boolean isLimited() {
    return share > 0;
  }

  /** Of a thread's time; 0 = any. */
  public int millionths() {
    return millionths;
  }

  /** Part of a thread's time. */
  public double share() {
    return share;
  }

  public double cost(int mode) {
    return costs[mode];
  }

  public double ticksPerSecond() {
    return ticksPerSecond;
  }

  long initialCredit() {
    return (long) (share * SAVED_SECONDS * ticksPerSecond);
  }

  /** The credit with which a ring continues when its owner's methods have gone down. */
  long creditAfterRelief() {
    return (long) (initialCredit() * CREDIT_AFTER_RELIEF);
  }

  double costOfEvents(int bytes) {
    return costs[MethodMode.EVENTS] * bytes / (2 * Long.BYTES);
  }
}
