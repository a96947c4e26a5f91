package dev.kymo.analysis.cause;

import dev.kymo.format.Definition.TracedThread;
import dev.kymo.format.SchedulerState;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.RecordedStates;
import dev.kymo.model.definitions.TrackKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What the kernel did with the threads of a recording: how long they ran and waited, and why. */
public final class ThreadReport {
  private final CallPass pass;
  private final long from;
  private final long to;
  private final Map<ThreadCalls, ThreadCalls> owners;
  private final Map<Key, ThreadCalls> threads = new HashMap<>();
  private final List<ThreadTimes> rows = new ArrayList<>();
  private final List<LongState> blocked = new ArrayList<>();
  private final List<LongState> runnable = new ArrayList<>();
  private boolean recorded;

  private record Key(int process, int thread) {}

  private ThreadReport(CallPass pass, long from, long to) {
    this.pass = pass;
    this.from = pass.nanoClock().ticks(from);
    this.to = pass.nanoClock().ticks(to);
    this.owners = pass.owners();
  }

  /**
   * Reads the events of an opened pass.
   *
   * @param from nanoseconds since the recording's begin
   * @param to nanoseconds since the recording's begin
   * @param wanted a thread is in the report if its states or its calls are asked for
   * @param longest how many of the longest states are named
   */
  public static ThreadReport of(
      CallPass pass,
      long from,
      long to,
      Predicate<ThreadCalls> wanted,
      int longest,
      ProgressListener progress) {
    ThreadSums sums = new ThreadSums(pass, from, to, longest);
    pass.run(sums, thread -> TrackKind.of(thread.definition()) == TrackKind.SCHEDULED, progress);
    ThreadReport report = new ThreadReport(pass, from, to);
    report.add(sums, wanted);
    keep(report.blocked, longest);
    keep(report.runnable, longest);
    return report;
  }

  private void add(ThreadSums sums, Predicate<ThreadCalls> wanted) {
    for (ThreadCalls thread : pass.threads()) {
      threads.put(new Key(thread.process(), thread.thread()), thread);
      recorded |= TrackKind.of(thread.definition()) == TrackKind.SCHEDULED;
    }
    for (ThreadSums.OfThread of : sums.all()) {
      Optional<ThreadCalls> owner = Optional.ofNullable(owners.get(of.thread));
      if (wanted.test(of.thread) || owner.filter(wanted).isPresent()) {
        rows.add(of.times(owner, of.thread.isLossy(from, to)));
        of.longestBlocked().forEach(state -> blocked.add(named(of.thread, state)));
        of.longestRunnable().forEach(state -> runnable.add(named(of.thread, state)));
      }
    }
    rows.sort(
        Comparator.comparingLong((ThreadTimes row) -> row.split().running())
            .reversed()
            .thenComparing(ThreadTimes::name)
            .thenComparingInt(row -> row.thread().index()));
  }

  private static void keep(List<LongState> states, int most) {
    states.sort(
        Comparator.comparingLong(LongState::time).reversed().thenComparingLong(LongState::begin));
    if (states.size() > most) {
      states.subList(most, states.size()).clear();
    }
  }

  private LongState named(ThreadCalls thread, ThreadSums.Candidate state) {
    return new LongState(
        thread,
        name(thread.process(), thread.thread()),
        pass.definitions().methods().get(state.method()),
        state.begin(),
        state.time(),
        state.other() == 0 ? "" : name(thread.process(), state.other()),
        state.open());
  }

  private String name(int process, int thread) {
    ThreadCalls known = threads.get(new Key(process, thread));
    ThreadCalls owner = known == null ? null : owners.get(known);
    TracedThread definition =
        owner != null ? owner.definition() : pass.definitions().threadOrNameless(process, thread);
    return definition.name();
  }

  /** Whether the recording has anything about what the kernel did with threads. */
  public boolean recorded() {
    return recorded;
  }

  /** What was asked of the kernel: what was not asked for is 0 in the rows. */
  public RecordedStates recordedStates() {
    return RecordedStates.of(pass.definitions());
  }

  /** A row for each thread that has a state in the part asked for; longest running first. */
  public List<ThreadTimes> rows() {
    return rows;
  }

  /** The longest of {@link SchedulerState#BLOCKED}. */
  public List<LongState> longestBlocked() {
    return blocked;
  }

  /** The longest of {@link SchedulerState#RUNNABLE}. */
  public List<LongState> longestRunnable() {
    return runnable;
  }
}
