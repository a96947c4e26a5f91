package dev.kymo.analysis.locks;

import dev.kymo.model.calls.ThreadCalls;
import java.util.function.Predicate;

/** Counts what threads did with locks, and how long that took. */
final class LockCounter implements LockListener {
  private final long from;
  private final long to;
  private final Predicate<ThreadCalls> wanted;
  private final int longest;

  /**
   * Counts what ends in a range.
   *
   * @param from clock
   * @param to clock
   * @param wanted threads
   * @param longest how many of the longest waits of each object are kept
   */
  LockCounter(long from, long to, Predicate<ThreadCalls> wanted, int longest) {
    this.from = from;
    this.to = to;
    this.wanted = wanted;
    this.longest = longest;
  }

  @Override
  public void taken(
      HeldLocks thread, LockObject object, LockCall call, boolean acquired, long waited) {
    if (call.isLastAtBarrier(object.kind)) {
      object.barrier.opened(thread.thread, call.clock, this::barrier);
    }
    if (object.kind == LockKind.BARRIER && acquired && waited > 0) {
      LongWait wait = wait(thread, object, call, acquired, waited);
      object.barrier.waited(wait, this::barrier);
    }
    if (!counts(thread.thread, call.clock)) {
      return;
    }
    LockSums sums = object.sums;
    sums.threads.set(thread.thread.index());
    if (acquired) {
      sums.acquired++;
      sums.contended += waited > 0 ? 1 : 0;
    } else {
      sums.failed++;
    }
    if (waited > 0 && object.kind != LockKind.BARRIER) {
      sums.waited(wait(thread, object, call, acquired, waited), longest);
    }
  }

  private static LongWait wait(
      HeldLocks thread, LockObject object, LockCall call, boolean acquired, long waited) {
    long begin = call.clock - waited;
    boolean known = object.released >= begin && object.releaser != thread.thread;
    ThreadCalls by = known ? object.releaser : null;
    return new LongWait(
        object,
        thread.thread,
        begin,
        waited,
        call.caller,
        acquired,
        false,
        by == null ? null : by.definition());
  }

  /** A wait at a barrier, when all is known of it. */
  private void barrier(LongWait wait) {
    if (counts(wait.thread(), wait.begin() + wait.time())) {
      wait.object().sums.waited(wait, longest);
    }
  }

  /** Everything was read. */
  void finish(LockObject object) {
    object.barrier.finish(this::barrier);
  }

  @Override
  public void released(HeldLocks thread, HeldLocks.Hold hold, long clock) {
    if (counts(thread.thread, clock)) {
      hold.object().sums.held(clock - hold.since);
    }
  }

  /**
   * Something is held at the end.
   *
   * @param end clock
   */
  void kept(HeldLocks thread, HeldLocks.Hold hold, long end) {
    if (counts(thread.thread, end)) {
      hold.object().sums.held(Math.max(0, end - hold.since));
      hold.object().sums.kept++;
    }
  }

  /** A wait that has no event of its own. */
  void waited(LongWait wait) {
    if (counts(wait.thread(), wait.begin() + wait.time())) {
      LockSums sums = wait.object().sums;
      sums.threads.set(wait.thread().index());
      sums.contended += wait.acquired() ? 1 : 0;
      sums.open += wait.open() ? 1 : 0;
      sums.waited(wait, longest);
    }
  }

  private boolean counts(ThreadCalls thread, long clock) {
    return clock >= from && clock <= to && wanted.test(thread);
  }
}
