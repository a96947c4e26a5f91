package dev.kymo.recorder.ring;

/**
 * The cost that the owner of a ring may still spend on its records. It grows with time and is spent
 * when a packet is closed; when it is used up, the governor has the owner's hottest methods
 * recorded in less detail, and the owner begins again with a little credit.
 *
 * <p>Two threads share it, and each field has one writer:
 *
 * <pre>
 *   credit, closedAt, relieved  the owner alone, plain: nobody else reads them
 *   spent                       the owner, volatile: the governor reads a complete number, never half of one
 *   overSince                   the owner, volatile: the packet that was too much is closed before
 *                               the governor asks for it
 *   relievedAt                  the governor, volatile: the methods' new modes are set before the
 *                               owner counts again
 *   spentBefore, countedShare   the governor alone, plain
 * </pre>
 *
 * <p>So neither thread overwrites a value that the other has just written. The owner is over its
 * budget while {@code overSince == relievedAt}: an owner that has not yet seen the last relief may
 * report once more that it was over before it, which then has no effect.
 */
public final class RingCredit {
  /** {@link #overSince} of an owner that was never over its budget. */
  private static final long NEVER = -1;

  private final Budget budget;

  /** Ticks that probes may still cost. */
  private long credit;

  /** Clock when the last packet that counts was closed. */
  private long closedAt;

  /** The relief with which {@link #credit} began. */
  private long relieved;

  /** Ticks that probes of events have cost since the ring was made. */
  private volatile double spent;

  /** The relief after which too much was recorded. */
  private volatile long overSince = NEVER;

  /** Clock of the last relief: packets that begin earlier do not count. 0 = none yet. */
  private volatile long relievedAt;

  private double spentBefore;
  private double countedShare;

  /**
   * The credit of a new ring.
   *
   * @param now clock
   */
  RingCredit(Budget budget, long now) {
    this.budget = budget;
    this.credit = budget.initialCredit();
    this.closedAt = now;
  }

  /** The owner, or a virtual thread on it, has closed a packet. */
  void packet(long begin, long now, int bytes) {
    if (!budget.isLimited()) {
      return;
    }
    double cost = budget.costOfEvents(bytes);
    double before = spent;
    spent = before + cost;
    long relief = relievedAt;
    if (relief != relieved) {
      relieved = relief;
      credit = budget.creditAfterRelief();
      closedAt = relief;
    }
    if (begin < relief) {
      return;
    }
    double earned = budget.share() * (double) (now - closedAt);
    double saved = Math.min((double) budget.initialCredit(), (double) credit + earned);
    closedAt = now;
    credit = (long) (saved - cost);
    if (credit < 0 && overSince != relief) {
      overSince = relief;
      budget.wakeGovernor();
    }
  }

  /** Whether more was recorded since the last relief than the budget allows; for the governor. */
  boolean isOver() {
    return overSince == relievedAt;
  }

  /**
   * The governor has changed the modes of methods: the owner begins again.
   *
   * @param now clock, later than the last time
   */
  public void relieve(long now) {
    relievedAt = now;
  }

  /** The cost of events since the last call; for the governor. */
  public double spentSince() {
    double before = spentBefore;
    spentBefore = spent;
    return spentBefore - before;
  }

  /** The cost of counting for the owner, as a share of its time; for the governor. */
  public double countedShare() {
    return countedShare;
  }

  public void countedShare(double share) {
    countedShare = share;
  }
}
