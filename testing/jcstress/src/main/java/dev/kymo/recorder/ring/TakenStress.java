package dev.kymo.recorder.ring;

import dev.kymo.format.RingHeader;
import dev.kymo.format.RingLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The thread uses the room of a packet again only when the drainer has read it. */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "The packet was read as it was written.")
@Outcome(id = "0", expect = Expect.FORBIDDEN, desc = "It was overwritten while it was read.")
@State
public class TakenStress {
  private final StressedRing stressed =
      new StressedRing(RingLayout.DISCARD, 1, StressedRing.SUB_BUFFER_OF_MANY);
  private final int records;

  /** The ring is full. */
  public TakenStress() {
    int recorded = 0;
    while (stressed.lost() == 0) {
      stressed.record(++recorded);
    }
    records = recorded - 1; // the last one was lost
  }

  /** The ring's thread, which tries until there is room. */
  @Actor
  public void thread() {
    for (int i = 0; i < 100; i++) {
      stressed.record(100 + i);
    }
  }

  /** The drainer. */
  @Actor
  public void drainer(I_Result r) {
    r.r1 = stressed.firstPacket() == 0 ? 1 : 0;
    for (int i = 0; i < records; i++) {
      if (stressed.word(i, 0) != StressedRing.word(i + 1)) {
        r.r1 = 0;
      }
    }
    RingHeader.takenRelease(stressed.memory, 1);
  }
}
