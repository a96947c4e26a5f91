package dev.kymo.recorder.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The governor reads what the owner has spent: a number that was there. */
@JCStressTest
@Outcome(
    id = "[012]",
    expect = Expect.ACCEPTABLE,
    desc = "The number of packets that were counted.")
@Outcome(id = "-1", expect = Expect.FORBIDDEN, desc = "Half of a number was read.")
@State
public class SpentStress {
  private static final int BYTES = 1600;
  private final Budget budget = new Budget(100_000, 1e9);
  private final RingCredit credit;

  /** Nothing is spent. */
  public SpentStress() {
    budget.costs(1, 1, 1);
    credit = new RingCredit(budget, 0);
  }

  /** The owner. */
  @Actor
  public void owner() {
    credit.packet(10, 20, BYTES);
    credit.packet(20, 30, BYTES);
  }

  /** The governor. */
  @Actor
  public void governor(I_Result r) {
    double packets = credit.spentSince() / budget.costOfEvents(BYTES);
    r.r1 = packets == Math.rint(packets) && packets >= 0 && packets <= 2 ? (int) packets : -1;
  }
}
