package dev.kymo.recorder.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The governor relieves an owner that closes a packet at the same time. */
@JCStressTest
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "The owner has a new credit.")
@Outcome(
    id = "true, .*",
    expect = Expect.FORBIDDEN,
    desc = "A packet from before the relief demands another one.")
@Outcome(
    id = ".*, true",
    expect = Expect.FORBIDDEN,
    desc = "The owner has overwritten the credit that it got.")
@State
public class CreditStress {
  private static final int SMALL = 1600;
  private static final int LARGE = 160_000;
  private static final long RELIEF = 35;
  private final Budget budget = new Budget(100_000, 1_000_000);
  private final RingCredit credit;

  /** The owner has spent far more than it may. */
  public CreditStress() {
    budget.costs(1, 1, 1);
    credit = new RingCredit(budget, 0);
    credit.packet(10, 20, LARGE);
  }

  /** The owner closes a packet that began before the relief. */
  @Actor
  public void owner() {
    credit.packet(30, 40, SMALL);
  }

  /** The governor. */
  @Actor
  public void governor() {
    if (credit.isOver()) {
      credit.relieve(RELIEF);
    }
  }

  /** Whether the owner is over its budget, and after another small packet. */
  @Arbiter
  public void after(ZZ_Result r) {
    r.r1 = credit.isOver();
    credit.packet(50, 60, SMALL);
    r.r2 = credit.isOver();
  }
}
