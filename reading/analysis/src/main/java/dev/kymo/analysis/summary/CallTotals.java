package dev.kymo.analysis.summary;

import dev.kymo.analysis.cause.TimeUses;
import dev.kymo.analysis.costs.CallsBelow;
import dev.kymo.analysis.costs.CountedCost;
import dev.kymo.analysis.costs.MethodTotals;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Adds up calls by method, or by method and thread: those that overlap a time range, with the time
 * they have inside.
 */
final class CallTotals implements CallSink {
  private final NanoClock clock;
  private final long from;
  private final long to;
  private final boolean perThread;
  private final Function<ThreadCalls, @Nullable CountedCost> counted;
  private final Function<ThreadCalls, @Nullable TimeUses> told;
  private final Predicate<CallCursor> wanted;
  private final List<MethodTotals> all = new ArrayList<>();

  /** Takes calls that are not wanted: those around them are to know of them. */
  private final MethodTotals unwanted = new MethodTotals(-1, -1);

  /** By thread, or all in the first; by method. */
  private @Nullable MethodTotals[][] totals = {};

  /** By thread; null where no call waits for its caller. */
  private @Nullable CallsBelow[] waiting = {};

  private @Nullable ThreadCalls current;
  private @Nullable MethodTotals[] methods = {};
  private CallsBelow below = new CallsBelow();
  private @Nullable CountedCost cost;
  private @Nullable TimeUses uses;

  /**
   * Nothing yet.
   *
   * @param clock gives nanoseconds, in which all sums are
   * @param from nanoseconds since the recording's begin
   * @param to the same
   * @param counted what counted calls cost a thread; nothing if it has none
   * @param told what a thread did when; null if unknown
   * @param wanted which calls are added up
   */
  CallTotals(
      NanoClock clock,
      long from,
      long to,
      boolean perThread,
      Function<ThreadCalls, @Nullable CountedCost> counted,
      Function<ThreadCalls, @Nullable TimeUses> told,
      Predicate<CallCursor> wanted) {
    this.wanted = wanted;
    this.told = told;
    this.clock = clock;
    this.from = from;
    this.to = to;
    this.perThread = perThread;
    this.counted = counted;
  }

  @Override
  public void call(CallCursor call) {
    ThreadCalls thread = call.thread();
    if (thread != current) {
      change(thread);
    }
    long begin = clock.nanos(call.begin());
    long end = clock.nanos(call.end());
    if (end >= from && begin <= to) {
      add(call, thread, Math.max(begin, from), Math.min(end, to));
    }
  }

  /** Adds the part of a call that lies in the range. */
  private void add(CallCursor call, ThreadCalls thread, long begin, long end) {
    int depth = call.depth();
    long time = end - begin;
    boolean nested = call.is(CallCursor.NESTED);
    CallsBelow made = below;
    made.call(depth, time);
    MethodTotals sums = totals(call, thread);
    sums.add(
        begin,
        time,
        time - made.time(),
        made.direct(),
        made.calls(),
        nested,
        thread.index(),
        depth);
    if (uses != null) {
      uses.call(depth, begin, end, nested, sums);
    }
    if (cost != null) {
      double inside = cost.between(begin, end);
      sums.addCounted(inside, made.ownCost(inside), nested);
    }
  }

  private MethodTotals totals(CallCursor call, ThreadCalls thread) {
    if (!wanted.test(call)) {
      return unwanted;
    }
    int method = call.method();
    MethodTotals found = method < methods.length ? methods[method] : null;
    return found == null ? newTotals(thread, method) : found;
  }

  private void change(ThreadCalls thread) {
    ThreadCalls before = current;
    int index = thread.index();
    if (index >= waiting.length) {
      waiting = Arrays.copyOf(waiting, Math.max(index + 1, waiting.length * 2));
    }
    if (before != null && !below.isEmpty()) {
      waiting[before.index()] = below;
      below = new CallsBelow();
    }
    CallsBelow waits = waiting[index];
    if (waits != null) {
      below = waits;
      waiting[index] = null;
    }
    current = thread;
    cost = counted.apply(thread);
    uses = told.apply(thread);
    int row = row(thread);
    methods = row < totals.length ? totals[row] : new MethodTotals[0];
  }

  private int row(ThreadCalls thread) {
    return perThread ? thread.index() : 0;
  }

  private MethodTotals newTotals(ThreadCalls thread, int method) {
    int row = row(thread);
    if (row >= totals.length) {
      int count = totals.length;
      totals = Arrays.copyOf(totals, Math.max(row + 1, count * 2));
      Arrays.fill(totals, count, totals.length, new MethodTotals[0]);
    }
    if (method >= totals[row].length) {
      totals[row] = Arrays.copyOf(totals[row], Math.max(method + 1, totals[row].length * 2));
    }
    MethodTotals made = new MethodTotals(method, perThread ? row : -1);
    methods = totals[row];
    methods[method] = made;
    all.add(made);
    return made;
  }

  List<MethodTotals> all() {
    return all;
  }
}
