package dev.kymo.recorder.ring;

import dev.kymo.format.RingLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A retirement that comes while the slow path writes is not lost: who retires and then sees that
 * the slow path has not committed its record yet, finds the ring shut afterwards.
 */
@JCStressTest
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "It was retired in time.")
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "It was retired afterwards.")
@Outcome(
    id = "false, true",
    expect = Expect.ACCEPTABLE,
    desc = "The slow path began after the retirement.")
@Outcome(
    id = "true, true",
    expect = Expect.FORBIDDEN,
    desc = "The record was there before the retirement, and the ring is open after it.")
@State
public class PauseStress {
  private final StressedRing stressed =
      new StressedRing(RingLayout.DISCARD, 1, StressedRing.SUB_BUFFER_OF_MANY);

  /** The ring's thread. */
  @Actor
  public void thread() {
    stressed.recordSlowly(1);
  }

  /** The recording pauses. */
  @Actor
  public void registry(ZZ_Result r) {
    r.r1 = stressed.committed() > 0;
    stressed.ring.retire();
  }

  /** What the thread does next. */
  @Arbiter
  public void after(ZZ_Result r) {
    r.r2 = stressed.isOpen(2);
  }
}
