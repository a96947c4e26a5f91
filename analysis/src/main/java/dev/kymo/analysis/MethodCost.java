package dev.kymo.analysis;

/** What the calls of one method cost in a selection, and where the longest one is. */
public final class MethodCost {
  private final MethodTotals totals;
  private PlacedCall longest;

  MethodCost(int method, PlacedCall first) {
    totals = new MethodTotals(method, -1);
    longest = first;
  }

  /** Adds a call with the time it has inside; its place counts with all of its time. */
  void add(long inside, long self, boolean nested, int track, int depth, long begin, long end) {
    totals.add(inside, self, nested);
    if (end - begin >= longest.duration()) {
      take(new PlacedCall(track, depth, begin, end - begin));
    }
  }

  private void take(PlacedCall call) {
    if (PlacedCall.LONGEST_FIRST.compare(call, longest) < 0) {
      longest = call;
    }
  }

  void merge(MethodCost other) {
    totals.merge(other.totals);
    take(other.longest);
  }

  public int method() {
    return totals.method;
  }

  public long calls() {
    return totals.calls;
  }

  /** Nanoseconds inside, of a recursive method's outermost calls only. */
  public long total() {
    return totals.total;
  }

  /** Nanoseconds inside without those of the calls it made. */
  public long self() {
    return totals.self;
  }

  /** Nanoseconds inside of an average call. */
  public long average() {
    return totals.durations / Math.max(1, totals.calls);
  }

  /** Percentile of the times inside, within 1.6 %. */
  public long percentile(double share) {
    return Math.min(totals.max, totals.percentile(share));
  }

  /** The longest call, with its whole duration even if it reaches beyond the selection. */
  public PlacedCall longest() {
    return longest;
  }
}
