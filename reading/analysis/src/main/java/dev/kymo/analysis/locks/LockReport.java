package dev.kymo.analysis.locks;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.Recording;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What threads did with locks: how often each was taken, how long threads waited for it and had it,
 * the longest waits, and in which cycles threads could wait for each other forever. From the events
 * of a thread library and, of Java, from what threads waited for.
 */
public final class LockReport {
  private final CallPass pass;
  private final LockQuery query;
  private final NanoClock clock;
  private final long from;
  private final long to;
  private final LockCounter counter;
  private final LockOrder order = new LockOrder();
  private final LockTracker tracker;
  private final LockStates states;
  private LockFindings findings = LockFindings.NONE;
  private List<LockRow> rows = List.of();
  private Map<ThreadCalls, ThreadCalls> owners = Map.of();

  private LockReport(CallPass pass, LockQuery query) {
    this.pass = pass;
    this.query = query;
    this.clock = pass.nanoClock();
    this.from = query.from() == 0 ? Long.MIN_VALUE : clock.ticks(query.from());
    this.to = clock.ticks(query.to());
    this.counter = new LockCounter(from, to, query.threads(), query.longest());
    this.tracker = new LockTracker(pass.definitions(), new Listener());
    this.states = new LockStates(pass.definitions(), tracker, counter);
  }

  /**
   * Reads a recording: once for the numbers and, if somebody waited or could wait forever, once
   * more for the places of that.
   */
  public static LockReport of(Recording recording, LockQuery query, ProgressListener progress) {
    LockReport report = new LockReport(CallPass.open(recording), query);
    report.read(progress);
    LockCycles cycles = LockCycles.find(report.order.edges());
    report.findings =
        LockFindings.of(
            recording, query, report.tracker.objects(), cycles, report.owners, progress);
    return report;
  }

  /** Only the {@link #rows} of that; reads the recording once. */
  public static List<LockRow> rows(
      Recording recording, LockQuery query, ProgressListener progress) {
    LockReport report = new LockReport(CallPass.open(recording), query);
    report.read(progress);
    return report.rows;
  }

  private void read(ProgressListener progress) {
    pass.runMerged(new Sink(), thread -> true, progress);
    owners = pass.owners();
    tracker.finish();
    tracker.objects().forEach(counter::finish);
    states.finish(owners, order);
    Map<Integer, Long> ends = new HashMap<>();
    for (ThreadCalls thread : pass.threads()) {
      ends.merge(thread.process(), thread.last(), Math::max);
    }
    tracker.forEachHold((thread, hold) ->
        counter.kept(thread, hold, ends.getOrDefault(thread.thread.process(), 0L)));
    Predicate<LockObject> wanted = object -> query.objects().test(object.label());
    rows =
        tracker.objects().stream()
            .filter(object -> !object.sums.isEmpty())
            .filter(wanted)
            .map(this::row)
            .sorted(
                Comparator.comparingLong((LockRow row) -> -row.waits().total())
                    .thenComparingLong(row -> -row.holds().total())
                    .thenComparingLong(row -> -row.acquired())
                    .thenComparingInt(LockRow::process)
                    .thenComparing(LockRow::label))
            .toList();
  }

  private LockRow row(LockObject object) {
    Optional<LockRow.Longest> longest =
        object.sums.longest().stream()
            .findFirst()
            .map(wait ->
                new LockRow.Longest(
                    owners.getOrDefault(wait.thread(), wait.thread()), clock.nanos(wait.begin())));
    boolean lossy =
        object.sums.threads.stream().anyMatch(index -> pass.threads().get(index).isLossy(from, to));
    return LockRow.of(object, clock, longest, lossy);
  }

  private final class Listener implements LockListener {
    @Override
    public void nested(HeldLocks thread, LockObject wanted, LockCall call) {
      if (call.clock >= from && call.clock <= to) {
        order.add(thread, wanted, call.shared, call.clock - call.waited, call.caller, false);
      }
    }

    @Override
    public void taken(
        HeldLocks thread, LockObject object, LockCall call, boolean acquired, long waited) {
      counter.taken(thread, object, call, acquired, waited);
    }

    @Override
    public void released(HeldLocks thread, HeldLocks.Hold hold, long at) {
      counter.released(thread, hold, at);
    }
  }

  private final class Sink implements CallSink {
    @Override
    public void call(CallCursor call) {
      states.state(call);
    }

    @Override
    public void event(ThreadCalls thread, int number, long at, EventBatch batch, int word) {
      tracker.event(thread, number, at, batch, word);
    }

    @Override
    public void gap(ThreadCalls thread, long gapFrom, long gapTo, long lost) {
      tracker.gap(thread, gapFrom, gapTo, lost);
    }
  }

  /** Whether the recording says anything of locks. */
  public boolean recorded() {
    return tracker.hasEvents() || states.hasJava();
  }

  /** A row for each object that was used; that for which threads waited longest first. */
  public List<LockRow> rows() {
    return rows;
  }

  /** The longest waits for something that one thread has, longest first. */
  public List<LockWait> longestForLocks() {
    return findings.forLocks();
  }

  /** The longest waits for something that other threads do: conditions, semaphores, barriers. */
  public List<LockWait> longestForOthers() {
    return findings.forOthers();
  }

  /** Whether it is known in which order locks were taken. */
  public boolean ordersKnown() {
    return tracker.hasEvents();
  }

  /** Possible deadlocks, the smallest ones first. */
  public List<LockCycle> cycles() {
    return findings.cycles();
  }

  /** Whether there may be more of them: there was too much to look at. */
  public boolean moreCycles() {
    return findings.moreCycles() || order.isFull();
  }

  /** What was odd in reading. */
  public List<String> oddities() {
    return pass.oddities();
  }

  /** The processes of the recording. */
  public int processes() {
    return pass.definitions().processes().size();
  }
}
