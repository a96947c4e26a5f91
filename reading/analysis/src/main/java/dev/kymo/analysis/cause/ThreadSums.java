package dev.kymo.analysis.cause;

import dev.kymo.format.SchedulerState;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/** Adds up the states of threads, as far as they lie in a range; nanoseconds. */
final class ThreadSums implements CallSink {
  private final SchedulerStates states;
  private final NanoClock begins;
  private final NanoClock ends;
  private final long from;
  private final long to;
  private final int longest;
  private final Map<ThreadCalls, OfThread> sums = new HashMap<>();

  ThreadSums(CallPass pass, long from, long to, int longest) {
    this.states = new SchedulerStates(pass.definitions().methods()::get);
    this.begins = pass.nanoClock();
    this.ends = pass.nanoClock();
    this.from = from;
    this.to = to;
    this.longest = longest;
  }

  /**
   * A state that may be one of the longest.
   *
   * @param other number of the thread in its process, 0 = not known
   */
  record Candidate(int method, long begin, long time, int other, boolean open) {}

  /** The sums of one thread. */
  static final class OfThread {
    final ThreadCalls thread;
    private final PriorityQueue<Candidate> blocked;
    private final PriorityQueue<Candidate> runnable;
    private long ran;
    private long wanted;
    private long waited;
    private long interrupted;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;
    private long faults;
    private long wakeUps;

    OfThread(ThreadCalls thread) {
      this.thread = thread;
      Comparator<Candidate> shortest = Comparator.comparingLong(Candidate::time);
      this.blocked = new PriorityQueue<>(shortest);
      this.runnable = new PriorityQueue<>(shortest);
    }

    ThreadTimes times(Optional<ThreadCalls> owner, boolean lossy) {
      long unknown = last - first - ran - wanted - waited;
      CauseSplit split =
          new CauseSplit(ran - interrupted, interrupted, wanted, waited, unknown, faults);
      return new ThreadTimes(thread, owner, split, wakeUps, lossy);
    }

    Collection<Candidate> longestBlocked() {
      return blocked;
    }

    Collection<Candidate> longestRunnable() {
      return runnable;
    }
  }

  @Override
  public void call(CallCursor call) {
    long wholeBegin = begins.nanos(call.begin());
    long wholeEnd = ends.nanos(call.end());
    int method = call.method();
    int by = call.other();
    SchedulerState state = states.of(method);
    if (state == null || wholeEnd < from || wholeBegin > to || !isAt(state, call.depth())) {
      return;
    }
    OfThread of = sums.computeIfAbsent(call.thread(), OfThread::new);
    long inside = Math.max(wholeBegin, from);
    long time = Math.min(wholeEnd, to) - inside;
    boolean open = call.is(Slice.OPEN_END);
    switch (state) {
      case RUNNING -> of.ran += time;
      case BLOCKED -> {
        of.waited += time;
        of.wakeUps += open || wholeEnd > to ? 0 : 1;
        keep(of.blocked, new Candidate(method, inside, time, by, open));
      }
      case RUNNABLE -> {
        of.wanted += time;
        keep(of.runnable, new Candidate(method, inside, time, by, open));
      }
      case INTERRUPTED -> of.interrupted += time;
      case FAULT -> of.faults++;
      case HANDED -> {} // shown as arrows
    }
    if (call.depth() == 0) {
      of.first = Math.min(of.first, inside);
      of.last = Math.max(of.last, inside + time);
    }
  }

  /** Whether a state counts at a depth; at others it would count twice. */
  private static boolean isAt(SchedulerState state, int depth) {
    return switch (state) {
      case RUNNING, RUNNABLE, BLOCKED -> depth == 0;
      case INTERRUPTED -> depth == 1;
      case FAULT, HANDED -> true;
    };
  }

  private void keep(PriorityQueue<Candidate> all, Candidate state) {
    Candidate shortest = all.peek();
    if (all.size() < longest || (shortest != null && state.time > shortest.time)) {
      all.add(state);
    }
    if (all.size() > longest) {
      all.remove();
    }
  }

  Collection<OfThread> all() {
    return sums.values();
  }
}
