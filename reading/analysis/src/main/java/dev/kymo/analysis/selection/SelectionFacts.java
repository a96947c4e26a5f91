package dev.kymo.analysis.selection;

import dev.kymo.format.Definition.MethodMode;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.counts.CountedCalls;
import dev.kymo.model.definitions.ModeStep;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * Facts of a selection that its single events do not show.
 *
 * @param counted calls that were counted and not recorded one by one
 * @param countedMethods how many methods those are of
 * @param leftOut methods of which nothing was recorded for some of the time
 */
public record SelectionFacts(long counted, int countedMethods, int leftOut) {
  /** Of a whole recording; once all events were read. */
  public static SelectionFacts of(CallPass pass) {
    Sums sums = new Sums();
    for (ThreadCalls thread : pass.threads()) {
      pass.counts().between(thread.index(), Long.MIN_VALUE, Long.MAX_VALUE, sums);
    }
    return sums.facts(pass.steps(), Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** Adds up what was counted. */
  static final class Sums implements Consumer<CountedCalls> {
    private final BitSet methods = new BitSet();
    private long calls;

    @Override
    public void accept(CountedCalls counted) {
      if (counted.mode() == MethodMode.EVENTS) {
        return;
      }
      calls += counted.calls();
      methods.set(counted.method());
    }

    SelectionFacts facts(List<ModeStep> steps, long from, long to) {
      int leftOut = LeftOut.between(steps, from, to).cardinality();
      return new SelectionFacts(calls, methods.cardinality(), leftOut);
    }
  }
}
