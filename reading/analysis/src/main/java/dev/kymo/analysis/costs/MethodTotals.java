package dev.kymo.analysis.costs;

import dev.kymo.analysis.cause.TimeUse;
import dev.kymo.analysis.cause.TimeUses;
import dev.kymo.analysis.selection.PackedNumbers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Sums over the recorded calls of one method; nanoseconds. */
public final class MethodTotals extends Durations implements TimeUses.Sums {
  public final int method;
  public final int thread;
  long calls;
  long total;
  long self;
  long durations;

  /** Of the longest call, of several that of the first; -1 = there is none. */
  long max = -1;

  /** Begin of the longest, and its thread or track; -1 = none. */
  public long maxBegin;

  public int maxThread = -1;

  /** How many calls were around the longest. */
  public int maxDepth;

  /** Calls inside another call of this method; the times of the other calls make up the total. */
  long nested;

  /** Recorded calls inside those other calls. */
  long below;

  /** Recorded calls made directly, by all of them. */
  long children;

  /** What counted calls cost within the total. */
  double countedInTotal;

  /** What counted calls cost within the self time. */
  double countedInSelf;

  /** How long probes were put into classes, within the total. */
  long weavingInTotal;

  /** By {@link TimeUse}: what the self time was used for; null = nothing is known. */
  long @Nullable [] uses;

  /**
   * Nothing yet.
   *
   * @param thread index, -1 = all
   */
  public MethodTotals(int method, int thread) {
    this.method = method;
    this.thread = thread;
  }

  /**
   * Adds a call.
   *
   * @param begin when it begins in the selection, since the recording's begin
   * @param selfTime of it without the recorded calls it made
   * @param made directly, calls
   * @param madeInAll calls, directly or not
   * @param isNested in another one of this method
   */
  public void add(
      long begin,
      long time,
      long selfTime,
      long made,
      long madeInAll,
      boolean isNested,
      int ofThread,
      int depth) {
    calls++;
    durations += time;
    self += selfTime;
    children += made;
    if (isNested) {
      nested++;
    } else {
      total += time;
      below += madeInAll;
    }
    if (time > max || (time == max && begin < maxBegin)) {
      max = time;
      maxBegin = begin;
      maxThread = ofThread;
      maxDepth = depth;
    }
    addDuration(time);
  }

  /** Where the longest call is, of which only the duration was kept. */
  public void placeLongest(long begin, int ofThread, int depth) {
    maxBegin = begin;
    maxThread = ofThread;
    maxDepth = depth;
  }

  public void addCounted(double inside, double own, boolean isNested) {
    countedInSelf += own;
    if (!isNested) {
      countedInTotal += inside;
    }
  }

  @Override
  public void addWeaving(long time) {
    weavingInTotal += time;
  }

  @Override
  public void addUses(long[] more) {
    long[] sums = uses;
    if (sums == null) {
      sums = new long[TimeUse.COUNT];
      uses = sums;
    }
    for (int kind = 0; kind < sums.length; kind++) {
      sums[kind] += more[kind];
    }
  }

  /** Writes the sums; of the longest only how long it is. */
  public void writeTo(PackedNumbers to) {
    to.put(calls).put(total).put(self).put(durations).put(nested).put(below).put(children);
    to.put(max).put(countedInTotal).put(countedInSelf).put(weavingInTotal);
    long[] known = uses == null ? new long[0] : uses;
    to.put(known.length);
    for (long use : known) {
      to.put(use);
    }
    writeDurations(to);
  }

  /** Takes what was written of a method that has nothing yet. */
  public void readFrom(PackedNumbers from) {
    calls = from.next();
    total = from.next();
    self = from.next();
    durations = from.next();
    nested = from.next();
    below = from.next();
    children = from.next();
    max = from.next();
    countedInTotal = from.nextDouble();
    countedInSelf = from.nextDouble();
    weavingInTotal = from.next();
    if (from.next() == TimeUse.COUNT) {
      long[] known = new long[TimeUse.COUNT];
      Arrays.setAll(known, kind -> from.next());
      addUses(known);
    }
    addFrom(from);
  }

  /** Adds what another one holds. */
  public void merge(MethodTotals other) {
    weavingInTotal += other.weavingInTotal;
    if (other.uses != null) {
      addUses(other.uses);
    }
    calls += other.calls;
    durations += other.durations;
    self += other.self;
    total += other.total;
    if (other.max > max || (other.max == max && other.maxBegin < maxBegin)) {
      max = other.max;
      maxBegin = other.maxBegin;
      maxThread = other.maxThread;
      maxDepth = other.maxDepth;
    }
    nested += other.nested;
    below += other.below;
    children += other.children;
    countedInTotal += other.countedInTotal;
    countedInSelf += other.countedInSelf;
    addAll(other);
  }
}
