package dev.kymo.analysis.costs;

import java.util.Arrays;

/**
 * Finds how many recorded calls each call of one thread has made, directly and in all, and how much
 * of a selection those took. Calls come in the order of their ends, so a call's own calls are known
 * when it comes.
 */
public final class CallsBelow {
  private static final int CALLS = 0;
  private static final int DIRECT = 1;
  private static final int TIME = 2;
  private static final int FIELDS = 3;

  /** By depth: sums over the calls that have come, until their caller comes. */
  private long[] pending = new long[16 * FIELDS];

  /** By depth: what counted calls cost in them, nanoseconds. */
  private double[] pendingCost = {};

  private int depth;
  private long calls;
  private long direct;
  private long time;

  /** No calls yet. */
  public CallsBelow() {}

  /** Another thread follows. */
  void clear() {
    Arrays.fill(pending, 0);
    Arrays.fill(pendingCost, 0);
  }

  /**
   * A call has come.
   *
   * @param atDepth 0 = outermost
   * @param inside its time in the selection
   */
  public void call(int atDepth, long inside) {
    depth = atDepth;
    int at = atDepth * FIELDS;
    int below = at + FIELDS;
    if (below + FIELDS > pending.length) {
      pending = Arrays.copyOf(pending, (below + FIELDS) * 2);
    }
    calls = pending[below + CALLS];
    direct = pending[below + DIRECT];
    time = pending[below + TIME];
    pending[below + CALLS] = 0;
    pending[below + DIRECT] = 0;
    pending[below + TIME] = 0;
    pending[at + CALLS] += calls + 1;
    pending[at + DIRECT]++;
    pending[at + TIME] += inside;
  }

  /**
   * What counted calls cost in the call that came last; to be asked for all calls of a thread or
   * none.
   *
   * @param inside nanoseconds, in it and in what it called
   * @return the part that is not in what it called
   */
  public double ownCost(double inside) {
    if (depth + 2 > pendingCost.length) {
      pendingCost = Arrays.copyOf(pendingCost, Math.max(16, (depth + 2) * 2));
    }
    double own = inside - pendingCost[depth + 1];
    pendingCost[depth + 1] = 0;
    pendingCost[depth] += inside;
    return own;
  }

  /** Whether nothing waits for its caller. */
  public boolean isEmpty() {
    return depth == 0;
  }

  /** Recorded calls that the last call made, directly or not. */
  public long calls() {
    return calls;
  }

  /** Recorded calls that it made directly. */
  public long direct() {
    return direct;
  }

  /** Time of those in the selection. */
  public long time() {
    return time;
  }
}
