package dev.kymo.editing.slice;

import dev.kymo.format.ThreadRecord;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.calls.ThreadCalls;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Calls across the ends of a range, of which the events inside do not tell: which were running when
 * it began, and until when those were running that had not ended by its end. Times are clock ticks.
 */
final class OverlappingCalls implements CallSink {
  private static final Comparator<ThreadCalls> BY_NUMBER =
      Comparator.comparingInt(ThreadCalls::process).thenComparingInt(ThreadCalls::thread);

  /**
   * A call that was running when the range began.
   *
   * @param detail what is known of it that no event in the range may tell; 0 = nothing
   */
  record Begun(int depth, int method, long detail) {}

  /** The last moment at which a process is known to have a call running. */
  record Running(int thread, long clock) {}

  private final long from;
  private final long to;
  private final Map<ThreadCalls, List<Begun>> begun = new TreeMap<>(BY_NUMBER);
  private final Map<Integer, Running> running = new TreeMap<>();

  private long calls;

  OverlappingCalls(long from, long to) {
    this.from = from;
    this.to = to;
  }

  @Override
  public void call(CallCursor call) {
    if (call.end() < from || call.begin() > to) {
      return;
    }
    calls++;
    ThreadCalls thread = call.thread();
    boolean open = call.is(Slice.OPEN_END);
    if (call.begin() < from) {
      long known = open ? ThreadRecord.detail(call.object(), call.other()) : 0;
      begun
          .computeIfAbsent(thread, t -> new ArrayList<>())
          .add(new Begun(call.depth(), call.method(), known));
    }
    if (call.end() > to || open) {
      Running now = new Running(thread.thread(), Math.min(call.end(), to));
      running.merge(thread.process(), now, (a, b) -> b.clock() > a.clock() ? b : a);
    }
  }

  /** How many calls overlap the range. */
  long calls() {
    return calls;
  }

  /** The calls running at the begin, by thread; the inner ones of a thread come first. */
  Map<ThreadCalls, List<Begun>> begun() {
    return begun;
  }

  /** By process. */
  Map<Integer, Running> running() {
    return running;
  }
}
