package dev.kymo.recorder.ring;

import dev.kymo.format.RingLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The drainer reads below the position: every word there is the one that was recorded. */
@JCStressTest
@Outcome(id = "[1-4], 1", expect = Expect.ACCEPTABLE, desc = "All that is committed is there.")
@Outcome(id = ".*, 0", expect = Expect.FORBIDDEN, desc = "A word below the position is missing.")
@State
public class CommitStress {
  private final StressedRing stressed =
      new StressedRing(RingLayout.DISCARD, 1, StressedRing.SUB_BUFFER_OF_MANY);

  /** The first record opens the packet. */
  public CommitStress() {
    stressed.recordSlowly(1);
  }

  /** The ring's thread. */
  @Actor
  public void thread() {
    stressed.record(2);
    stressed.record(3);
    stressed.record(4);
  }

  /** The drainer. */
  @Actor
  public void drainer(II_Result r) {
    int committed = stressed.committed();
    r.r1 = committed;
    r.r2 = 1;
    for (int i = committed - 1; i >= 0; i--) {
      if (stressed.word(i, 0) != StressedRing.word(i + 1)) {
        r.r2 = 0;
      }
    }
  }
}
