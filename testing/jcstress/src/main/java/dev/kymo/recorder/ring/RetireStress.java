package dev.kymo.recorder.ring;

import dev.kymo.format.RingLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A ring that is retired while its thread is in the slow path stays retired. */
@JCStressTest
@Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "The thread takes the slow path.")
@Outcome(
    id = "true",
    expect = Expect.FORBIDDEN,
    desc = "It goes on in the ring of a recording that is over.")
@State
public class RetireStress {
  private final StressedRing stressed =
      new StressedRing(RingLayout.DISCARD, 1, StressedRing.SUB_BUFFER_OF_MANY);

  /** The ring's thread. */
  @Actor
  public void thread() {
    stressed.recordSlowly(1);
  }

  /** The recording ends. */
  @Actor
  public void registry() {
    stressed.ring.retireForGood();
  }

  /** What the thread does next. */
  @Arbiter
  public void after(Z_Result r) {
    r.r1 = stressed.isOpen(2);
  }
}
