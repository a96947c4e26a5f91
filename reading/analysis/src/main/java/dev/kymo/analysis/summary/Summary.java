package dev.kymo.analysis.summary;

import dev.kymo.analysis.cause.ReportedTimes;
import dev.kymo.analysis.costs.CountedCost;
import dev.kymo.analysis.costs.CountedTotals;
import dev.kymo.analysis.costs.CountedTrack;
import dev.kymo.analysis.costs.MethodCost;
import dev.kymo.analysis.costs.MethodFigures;
import dev.kymo.analysis.costs.MethodTotals;
import dev.kymo.analysis.filter.CallFacts;
import dev.kymo.analysis.filter.EventTest;
import dev.kymo.analysis.selection.LeftOut;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.SelectionFacts;
import dev.kymo.analysis.whole.WholeTotals;
import dev.kymo.format.Definition.ProbeCost;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.counts.Counts;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the methods of a recording cost.
 *
 * <p>With a time range, a call counts if it overlaps the range, and with the time it has inside.
 */
public final class Summary {
  private final CallPass pass;
  private final SummaryQuery query;
  private final NanoClock clock;
  private final Counts counts;
  private final BitSet leftOut;
  private final Set<Integer> lossyProcesses = new HashSet<>();
  private final Set<ThreadCalls> lossyThreads = new HashSet<>();
  private final Map<Row, CountedTotals> counted = new HashMap<>();
  private final List<MethodSummary> rows = new ArrayList<>();

  /** What a row is about; thread -1 = all. */
  private record Row(int method, int thread) {}

  private Summary(CallPass pass, SummaryQuery query) {
    this.pass = pass;
    this.query = query;
    this.clock = pass.nanoClock();
    this.counts = pass.counts();
    this.leftOut = LeftOut.between(pass.steps(), query.from(), query.to());
  }

  /** Reads the events of an opened pass. */
  public static Summary of(CallPass pass, SummaryQuery query, ProgressListener progress) {
    return of(pass, query, EventTest.ALL, progress);
  }

  /**
   * The same of some calls only. Those that were counted and not recorded one by one are not among
   * them.
   *
   * @param test chooses calls
   */
  public static Summary of(
      CallPass pass, SummaryQuery query, EventTest test, ProgressListener progress) {
    Map<ThreadCalls, CountedCost> costs = new HashMap<>();
    CallTotals totals =
        new CallTotals(
            pass.nanoClock(),
            query.from(),
            query.to(),
            query.perThread(),
            thread ->
                pass.countsOf(thread).calls(0) == 0
                    ? null
                    : costs.computeIfAbsent(thread, t -> costs(pass, query, t)),
            query.kind() == TrackKind.CALLS
                ? ReportedTimes.read(pass, 0, pass.nanoClock()::nanos)
                : thread -> null,
            test.isAll() ? call -> true : chosen(pass, test));
    pass.run(totals, query::selects, progress);
    Summary summary = new Summary(pass, query);
    summary.findLosses();
    if (test.isAll()) {
      summary.count();
    }
    summary.addRows(totals.all());
    return summary;
  }

  /**
   * Of all calls of all threads, by method, as it was added up when the totals were made that are
   * kept with a recording's index; empty if something else is wanted, or none are kept.
   *
   * @param query selects all threads
   */
  public static Optional<Summary> kept(Timelines.Indexed recording, SummaryQuery query) {
    Timeline timeline = recording.timeline();
    boolean calls = timeline.tracks().stream().anyMatch(track -> track.kind() == TrackKind.CALLS);
    WholeTotals known = calls && query.mayBeKept() ? WholeTotals.kept(timeline) : null;
    if (known == null) {
      return Optional.empty();
    }
    CallPass pass = recording.pass();
    Map<Long, ThreadCalls> threads = new HashMap<>();
    for (ThreadCalls thread : pass.threads()) {
      threads.put(RecordedDefinitions.key(thread.process(), thread.thread()), thread);
    }
    Summary summary = new Summary(pass, query);
    summary.findLosses();
    summary.count();
    List<MethodTotals> totals = new ArrayList<>();
    for (MethodCost cost : known.costs()) {
      PlacedCall longest = cost.longest().orElseThrow();
      Track track = timeline.tracks().get(longest.track());
      ThreadCalls thread = threads.get(RecordedDefinitions.key(track.process(), track.thread()));
      if (thread == null) {
        return Optional.empty(); // anybody may have written the totals
      }
      cost.totals().placeLongest(longest.begin(), thread.index(), longest.depth());
      totals.add(cost.totals());
    }
    summary.addRows(totals);
    return Optional.of(summary);
  }

  private static Predicate<CallCursor> chosen(CallPass pass, EventTest test) {
    CallFacts facts = new CallFacts(pass);
    return call -> test.accept(facts.call(call));
  }

  private static CountedCost costs(CallPass pass, SummaryQuery query, ThreadCalls thread) {
    CountedCost costs =
        track(pass, pass.countsOf(thread), thread).costs(query.from(), query.to(), time -> time);
    return costs == null ? new CountedCost() : costs;
  }

  private void findLosses() {
    long from = query.wholeTime() ? Long.MIN_VALUE : clock.ticks(query.from());
    long to = query.wholeTime() ? Long.MAX_VALUE : clock.ticks(query.to());
    for (ThreadCalls thread : pass.threads()) {
      if (query.mayLackOf(thread) && thread.isLossy(from, to)) {
        lossyThreads.add(thread);
        lossyProcesses.add(thread.process());
      }
    }
    for (TracedProcess process : pass.definitions().processes()) {
      if (process.lost() > 0) {
        lossyProcesses.add(process.process());
      }
    }
  }

  private void count() {
    for (ThreadCalls thread : pass.threads()) {
      if (query.selects(thread)) {
        int row = query.perThread() ? thread.index() : -1;
        track(pass, counts, thread)
            .between(
                query.from(),
                query.to(),
                (method, calls) ->
                    counted
                        .computeIfAbsent(new Row(method, row), r -> new CountedTotals())
                        .merge(calls));
      }
    }
  }

  private static CountedTrack track(CallPass pass, Counts counts, ThreadCalls thread) {
    ProbeCost cost = pass.probeCost(thread.process()).orElse(null);
    return CountedTrack.of(counts, thread, cost, pass.nanoClock());
  }

  private void addRows(List<MethodTotals> totals) {
    Map<Row, CountedTotals> rest = new HashMap<>(counted);
    for (MethodTotals method : totals) {
      rows.add(row(method, rest.remove(new Row(method.method, method.thread))));
    }
    rest.forEach((row, calls) -> {
      if (calls.isCalled()) {
        rows.add(row(new MethodTotals(row.method, row.thread), calls));
      }
    });
  }

  private MethodSummary row(MethodTotals t, @Nullable CountedTotals calls) {
    TracedMethod method = pass.definitions().methods().get(t.method);
    Optional<ThreadCalls> thread =
        t.thread < 0 ? Optional.empty() : Optional.of(pass.threads().get(t.thread));
    boolean lossy =
        thread.isPresent()
            ? lossyThreads.contains(thread.get())
            : lossyProcesses.contains(method.process());
    MethodFigures n = new MethodFigures(t, calls, counts::bucketBegin);
    boolean untimed =
        calls != null && (calls.untold() || (query.wholeTime() && calls.unfinished()));
    return new MethodSummary(
        method,
        thread,
        n.calls(),
        n.countedCalls(),
        n.total(),
        n.self(),
        n.corrected(pass.probeCost(method.process())),
        n.selfTime(),
        n.average(),
        n.percentile(0.5),
        n.percentile(0.99),
        n.max(),
        t.maxThread < 0
            ? Optional.empty()
            : Optional.of(
                new MethodSummary.LongestRecorded(
                    pass.threads().get(t.maxThread), t.maxDepth, t.maxBegin)),
        n.estimated(),
        leftOut.get(t.method),
        untimed,
        lossy || leftOut.get(t.method));
  }

  /** One for each method that was called, and thread if asked for; in no order. */
  public List<MethodSummary> rows() {
    return rows;
  }

  /** Whether events were lost in what was summed up. */
  public boolean atLeast() {
    return !lossyProcesses.isEmpty();
  }

  /** The methods that could not be recorded, with the reasons; their time is in others' self. */
  public List<ModeStep> neverRecorded() {
    return LeftOut.never(pass.steps(), query.from(), query.to());
  }

  /** What was counted and left out. */
  public SelectionFacts facts() {
    return new SelectionFacts(
        counted.values().stream().mapToLong(CountedTotals::calls).sum(),
        (int)
            counted.entrySet().stream()
                .filter(row -> row.getValue().isCalled())
                .mapToInt(row -> row.getKey().method())
                .distinct()
                .count(),
        leftOut.cardinality());
  }
}
