package dev.kymo.analysis.costs;

import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.format.Definition.ProbeCost;
import dev.kymo.model.counts.Counts;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the calls of one method cost in a selection, and where the longest one is. */
public final class MethodCost {
  private final MethodTotals totals;
  private @Nullable PlacedCall longest;
  private @Nullable CountedTotals counted;
  private MethodFigures numbers;
  private boolean leftOut;
  private Optional<CorrectedTimes> corrected = Optional.empty();

  MethodCost(int method) {
    totals = new MethodTotals(method, -1);
    numbers = new MethodFigures(totals, null, bucket -> 0);
  }

  public MethodTotals totals() {
    return totals;
  }

  /** Takes the place of a call that may be the longest. */
  void place(int track, int depth, long begin, long end) {
    PlacedCall best = longest;
    if (best == null || end - begin >= best.duration()) {
      take(new PlacedCall(track, depth, begin, end - begin));
    }
  }

  private void take(@Nullable PlacedCall call) {
    PlacedCall best = longest;
    if (call != null && (best == null || PlacedCall.LONGEST_FIRST.compare(call, best) < 0)) {
      longest = call;
    }
  }

  /** The longest recorded call is this, or one that is known already. */
  public void takeLongest(PlacedCall call) {
    take(call);
  }

  void merge(MethodCost other) {
    totals.merge(other.totals);
    take(other.longest);
  }

  /** Adds what was counted. */
  void add(CountedTotals calls) {
    CountedTotals before = counted;
    if (before == null) {
      counted = calls;
    } else {
      before.merge(calls);
    }
  }

  /** Everything has been added. */
  void finish(Counts counts, Optional<ProbeCost> cost, boolean wasLeftOut) {
    numbers = new MethodFigures(totals, counted, counts::bucketBegin);
    corrected = numbers.corrected(cost);
    leftOut = wasLeftOut;
  }

  /** Whether it made no calls here, but what its calls made lies here. */
  boolean isEmpty() {
    return totals.calls == 0 && (counted == null || !counted.isCalled());
  }

  public int method() {
    return totals.method;
  }

  /** All calls, recorded as events or counted. */
  public long calls() {
    return numbers.calls();
  }

  /** Those that were only counted. */
  public long counted() {
    return numbers.countedCalls();
  }

  /** Nanoseconds inside, of a recursive method's outermost calls only. */
  public long total() {
    return numbers.total();
  }

  /** Nanoseconds inside without those of the recorded calls it made. */
  public long self() {
    return numbers.self();
  }

  /** Total and self without what the probes took; empty if nobody knows what they cost. */
  public Optional<CorrectedTimes> corrected() {
    return corrected;
  }

  /** What the self time was. */
  public SelfTime selfTime() {
    return numbers.selfTime();
  }

  /** Whether some of the counted calls were timed by sample, and the times are estimates. */
  public boolean estimated() {
    return numbers.estimated();
  }

  /**
   * Whether nobody knows how long some of the counted calls took: there may have been more time.
   */
  public boolean untimed() {
    return counted != null && counted.untold();
  }

  /** Whether nothing of it was recorded for some of the time. */
  public boolean leftOut() {
    return leftOut;
  }

  /** Nanoseconds inside of an average call. */
  public long average() {
    return numbers.average();
  }

  /** Percentile of the times inside, within 1.6 %, of counted calls within 25 %. */
  public long percentile(double share) {
    return numbers.percentile(share);
  }

  /** The longest duration, whole even if it reaches beyond the selection. */
  public long max() {
    PlacedCall known = longest;
    long counts = counted == null ? 0 : counted.max();
    return known == null ? counts : Math.max(counts, known.duration());
  }

  /**
   * The longest recorded call, with its whole duration even if it reaches beyond the selection;
   * empty if all calls were only counted.
   */
  public Optional<PlacedCall> longest() {
    return Optional.ofNullable(longest);
  }
}
