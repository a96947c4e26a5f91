package dev.kymo.analysis.locks;

import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import java.util.Optional;

/**
 * What happened to one object.
 *
 * @param address in its process; of what only waits are known, its identity
 * @param name empty = it has none
 * @param acquired how often a thread got it, recursively and again after a condition included; of a
 *     condition or a barrier, how often a thread went on; -1 = not known
 * @param contended how many of those had to wait
 * @param failed how often a thread did not get it: it tried, or has waited too long
 * @param waits of threads, those that were in vain included
 * @param holds from getting it to giving it back; all 0 if it cannot be held, or that is not known
 * @param threads that used it; of what only waits are known, that waited
 * @param longest the longest wait; empty if nobody waited
 * @param kept how often it was held at the end
 * @param open how often a thread waited for it at the end
 * @param atLeast events of its threads were lost: there may have been more of everything
 */
@SuppressWarnings("checkstyle:ParameterNumber") // one component a column
public record LockRow(
    int process,
    LockKind kind,
    long address,
    String name,
    long acquired,
    long contended,
    long failed,
    LockTimes waits,
    LockTimes holds,
    int threads,
    Optional<Longest> longest,
    long kept,
    long open,
    boolean atLeast) {

  /**
   * The longest wait for an object.
   *
   * @param begin nanoseconds since the recording's begin
   */
  public record Longest(ThreadCalls thread, long begin) {}

  static LockRow of(
      LockObject object, NanoClock clock, Optional<Longest> longest, boolean atLeast) {
    LockSums sums = object.sums;
    return new LockRow(
        object.process,
        object.kind,
        object.address,
        object.name,
        object.kind.isWhole() ? sums.acquired : -1,
        sums.contended,
        sums.failed,
        LockTimes.waits(sums, clock),
        LockTimes.holds(sums, clock),
        sums.threads.cardinality(),
        longest,
        sums.kept,
        sums.open,
        atLeast);
  }

  /** Kind and name; without a name its address. */
  public String label() {
    return LockObject.label(kind, name, address);
  }
}
