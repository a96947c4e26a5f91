package dev.kymo.analysis.cause;

import dev.kymo.model.calls.ThreadCalls;
import java.util.Optional;

/**
 * What the kernel did with a thread. Times are nanoseconds, of the part that was asked for.
 *
 * @param thread its states
 * @param owner the thread itself, if its calls were recorded
 * @param wall from its first state's begin to its last one's end
 * @param interrupted part of the running time in which the processor did something else
 * @param faults page faults
 * @param wakeUps states of waiting that ended
 * @param atLeast events were lost during this time
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
  /**
   * Time of which nothing is known; running, runnable and blocked make up the rest of the wall
   * time.
   */
  public long unknown() {
    return wall - running - runnable - blocked;
  }

  /** The name that the program gives it; otherwise the kernel's. */
  public String name() {
    return owner.orElse(thread).definition().name();
  }
}
