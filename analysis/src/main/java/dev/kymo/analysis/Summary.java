package dev.kymo.analysis;

import dev.kymo.model.CallPass;
import dev.kymo.model.GapList;
import dev.kymo.model.NanoClock;
import dev.kymo.model.ProgressListener;
import dev.kymo.model.ThreadCalls;
import dev.kymo.model.TracedProcess;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the methods of a recording cost.
 *
 * <p>With a time range, a call counts if it overlaps the range, and with the time it has inside.
 */
public final class Summary {
  private final List<MethodSummary> rows;
  private final boolean atLeast;

  private Summary(List<MethodSummary> rows, boolean atLeast) {
    this.rows = rows;
    this.atLeast = atLeast;
  }

  /** Reads the events of an opened pass. */
  public static Summary of(CallPass pass, SummaryQuery query, ProgressListener progress) {
    CallTotals totals =
        query.wholeTime()
            ? new CallTotals(query.perThread())
            : new RangeTotals(query, pass.nanoClock());
    pass.run(totals, query.threads(), progress);
    Set<Integer> lossyProcesses = new HashSet<>();
    Set<ThreadCalls> lossyThreads = new HashSet<>();
    for (ThreadCalls thread : pass.threads()) {
      if (query.threads().test(thread) && lossy(thread.gaps(), query, pass.nanoClock())) {
        lossyThreads.add(thread);
        lossyProcesses.add(thread.process());
      }
    }
    for (TracedProcess process : pass.definitions().processes()) {
      if (process.lost() > 0) {
        lossyProcesses.add(process.process());
      }
    }
    List<MethodSummary> rows = new ArrayList<>();
    for (MethodTotals method : totals.all()) {
      rows.add(row(method, pass, lossyProcesses, lossyThreads));
    }
    return new Summary(rows, !lossyProcesses.isEmpty());
  }

  private static boolean lossy(GapList gaps, SummaryQuery query, NanoClock clock) {
    for (int i = 0; i < gaps.count(); i++) {
      if (clock.nanos(gaps.from(i)) <= query.to() && clock.nanos(gaps.to(i)) >= query.from()) {
        return true;
      }
    }
    return false;
  }

  private static MethodSummary row(
      MethodTotals t, CallPass pass, Set<Integer> processes, Set<ThreadCalls> threads) {
    NanoClock clock = pass.nanoClock();
    var method = pass.definitions().methods().get(t.method);
    Optional<ThreadCalls> thread =
        t.thread < 0 ? Optional.empty() : Optional.of(pass.threads().get(t.thread));
    boolean lossy =
        thread.isPresent() ? threads.contains(thread.get()) : processes.contains(method.process());
    long max = clock.duration(t.max);
    return new MethodSummary(
        method,
        thread,
        t.calls,
        clock.duration(t.total),
        clock.duration(t.self),
        clock.duration(t.durations / Math.max(1, t.calls)),
        Math.min(max, clock.duration(t.percentile(0.5))),
        Math.min(max, clock.duration(t.percentile(0.99))),
        max,
        lossy);
  }

  /** One for each method that was called, and thread if asked for; in no order. */
  public List<MethodSummary> rows() {
    return rows;
  }

  /** Whether events were lost in what was summed up. */
  public boolean atLeast() {
    return atLeast;
  }
}
