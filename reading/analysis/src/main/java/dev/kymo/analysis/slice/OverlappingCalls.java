package dev.kymo.analysis.slice;

import dev.kymo.format.ThreadRecord;
import dev.kymo.model.CallSink;
import dev.kymo.model.Slice;
import dev.kymo.model.ThreadCalls;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the events inside a range do not tell: which calls were running when it began, and until
 * when those were running that had not ended by its end. Times are clock ticks.
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

  /** Of the call that comes next. */
  private long detail;

  OverlappingCalls(long from, long to) {
    this.from = from;
    this.to = to;
  }

  @Override
  public void detail(ThreadCalls thread, long clock, int object, int other) {
    detail = ThreadRecord.detail(object, other);
  }

  @Override
  public void call(
      ThreadCalls thread,
      int depth,
      int method,
      long begin,
      long end,
      long childTime,
      long children,
      int flags) {
    boolean open = (flags & Slice.OPEN_END) != 0;
    long known = open ? detail : 0;
    detail = 0;
    if (end < from || begin > to) {
      return;
    }
    calls++;
    if (begin < from) {
      begun.computeIfAbsent(thread, t -> new ArrayList<>()).add(new Begun(depth, method, known));
    }
    if (end > to || open) {
      Running now = new Running(thread.thread(), Math.min(end, to));
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
