package dev.kymo.recorder.ring;

import dev.kymo.format.RingLayout;
import dev.kymo.format.ThreadRecord;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The governor reads the packet closed last while the thread may be overwriting it. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "It was overwritten, and that was seen.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "It was read whole.")
@Outcome(id = "2", expect = Expect.FORBIDDEN, desc = "Records of two packets were taken for one.")
@State
public class OverwriteStress {
  private static final int SUB_BUFFERS = 2;
  private final StressedRing stressed =
      new StressedRing(RingLayout.OVERWRITE, SUB_BUFFERS, StressedRing.SUB_BUFFER_OF_MANY);
  private int clock;

  /** One packet is closed, the next is open. */
  public OverwriteStress() {
    while (stressed.packets() == 0) {
      stressed.record(++clock);
    }
  }

  /** The ring's thread, once around. */
  @Actor
  public void thread() {
    for (int i = 0; i < 3 * StressedRing.MANY; i++) {
      stressed.record(++clock);
    }
  }

  /** The governor. */
  @Actor
  public void governor(I_Result r) {
    r.r1 = judge(stressed.ring.lastPacket());
  }

  /** Clocks in a packet go up by one. */
  private static int judge(long @Nullable [] records) {
    if (records == null) {
      return 0;
    }
    for (int i = 1; i < records.length; i++) {
      if (ThreadRecord.clockLow(records[i]) != ThreadRecord.clockLow(records[i - 1]) + 1) {
        return 2;
      }
    }
    return 1;
  }
}
