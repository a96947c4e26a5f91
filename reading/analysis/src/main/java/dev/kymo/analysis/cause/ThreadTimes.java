package dev.kymo.analysis;

import dev.kymo.model.ThreadCalls;
import java.util.Optional;

/**
 * What the kernel did with a thread. Times are nanoseconds, of the part that was asked for.
 *
 * @param thread its states
 * @param owner the thread itself, if its calls were recorded
 * @param wall from its first state's begin to its last one's end
 * @param interrupted part of running in which the processor did something else
 * @param faults page faults
 * @param wakeUps states of waiting that ended
 * @param atLeast events were lost meanwhile
 */
public record ThreadTimes(
    ThreadCalls thread,
    Optional<ThreadCalls> owner,
    long wall,
    long running,
    long runnable,
    long blocked,
    long interrupted,
    long faults,
    long wakeUps,
    boolean atLeast) {
  /** Of which nothing is known; with running, runnable and blocked it makes the wall time. */
  public long unknown() {
    return wall - running - runnable - blocked;
  }

  /** What the program calls it; else what the kernel does. */
  public String name() {
    return owner.orElse(thread).definition().name();
  }
}
