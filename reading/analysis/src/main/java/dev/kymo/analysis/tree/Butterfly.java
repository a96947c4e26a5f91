package dev.kymo.analysis.tree;

import dev.kymo.analysis.selection.CallCollector;
import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.timeline.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Callers of one method in a selection, and what it called. Times are nanoseconds inside the
 * selection. Calls of the method within itself count, but their time is in that of the outermost
 * one: the callers' times add up to the total, and so do those of what was called, with {@link
 * #itself}.
 */
public final class Butterfly implements CallCollector<Butterfly> {
  /** Of a row: nobody, as far as it was recorded. */
  public static final int NOBODY = -1;

  private final TimelineSelection selection;
  private final int method;
  private final Map<Integer, Sums> callers = new HashMap<>();
  private final Map<Integer, Sums> callees = new HashMap<>();
  private long calls;
  private long total;
  private long self;

  /** By depth: what was called there by a call that has not ended. */
  private Called[] pending = {};

  private static final class Sums {
    long calls;
    long total;

    void add(long moreCalls, long moreTotal) {
      calls += moreCalls;
      total += moreTotal;
    }
  }

  /** What one call has called, and of the method itself how much. */
  private static final class Called {
    final Map<Integer, Sums> byMethod = new HashMap<>();
    long calls;
    long outermost;
    long time;

    void clear() {
      byMethod.clear();
      calls = 0;
      outermost = 0;
      time = 0;
    }
  }

  /**
   * Another method, or {@link #NOBODY}.
   *
   * @param calls between the two
   * @param total time of those calls
   */
  public record Row(int method, long calls, long total) {}

  private Butterfly(TimelineSelection selection, int method) {
    this.selection = selection;
    this.method = method;
  }

  /** Goes through the calls of a selection, without tracks that show none if there are others. */
  public static Butterfly of(
      Timeline timeline, TimelineSelection all, int method, Progress progress) {
    TimelineSelection selection = all.ofCalls(timeline);
    Butterfly butterfly =
        CallWalk.run(timeline, selection, progress, () -> new Butterfly(selection, method));
    butterfly.finishTrack();
    return butterfly;
  }

  @Override
  public void track(int track) {
    finishTrack();
  }

  /** Calls whose callers are not known are taken for outermost ones. */
  private void finishTrack() {
    for (Called called : pending) {
      addCaller(NOBODY, called);
      called.clear();
    }
  }

  @Override
  public void call(int depth, int called, long begin, long end, int flags) {
    long inside = selection.inside(begin, end);
    boolean outermost = (flags & CallCursor.NESTED) == 0;
    Called children = at(depth + 1);
    addCaller(called, children);
    if (called == method) {
      calls++;
      total += outermost ? inside : 0;
      self += inside - children.time;
      children.byMethod.forEach(
          (callee, sums) -> row(callees, callee).add(sums.calls, outermost ? sums.total : 0));
    }
    children.clear();
    Called siblings = at(depth);
    siblings.time += inside;
    row(siblings.byMethod, called).add(1, inside);
    if (called == method) {
      siblings.calls++;
      siblings.outermost += outermost ? inside : 0;
    }
  }

  private Called at(int depth) {
    if (depth >= pending.length) {
      int before = pending.length;
      pending = Arrays.copyOf(pending, (depth + 1) * 2);
      for (int i = before; i < pending.length; i++) {
        pending[i] = new Called();
      }
    }
    return pending[depth];
  }

  private void addCaller(int caller, Called called) {
    if (called.calls > 0) {
      row(callers, caller).add(called.calls, called.outermost);
    }
  }

  private static Sums row(Map<Integer, Sums> rows, int of) {
    return rows.computeIfAbsent(of, m -> new Sums());
  }

  @Override
  public void merge(Butterfly other) {
    finishTrack();
    other.finishTrack();
    other.callers.forEach((m, sums) -> row(callers, m).add(sums.calls, sums.total));
    other.callees.forEach((m, sums) -> row(callees, m).add(sums.calls, sums.total));
    calls += other.calls;
    total += other.total;
    self += other.self;
  }

  /** Recorded calls of the method. */
  public long calls() {
    return calls;
  }

  /** Their time. */
  public long total() {
    return total;
  }

  /** The time without what they called, of nested calls as well. */
  public long self() {
    return self;
  }

  /** The part of the total that was spent in the outermost calls themselves. */
  public long itself() {
    return total - callees.values().stream().mapToLong(sums -> sums.total).sum();
  }

  /** The direct callers, the costliest first. */
  public List<Row> callers() {
    return rows(callers);
  }

  /** What it called directly, the costliest first. */
  public List<Row> callees() {
    return rows(callees);
  }

  private static List<Row> rows(Map<Integer, Sums> sums) {
    List<Row> rows = new ArrayList<>();
    sums.forEach((method, sum) -> rows.add(new Row(method, sum.calls, sum.total)));
    rows.sort(
        Comparator.comparingLong((Row row) -> -row.total())
            .thenComparingLong(row -> -row.calls())
            .thenComparingInt(Row::method));
    return rows;
  }
}
