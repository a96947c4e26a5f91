package dev.kymo.analysis.cause;

import dev.kymo.model.calls.ThreadCalls;
import java.util.Optional;

/**
 * A thread as the kernel saw it, in the part that was asked for.
 *
 * @param thread its states
 * @param owner the thread itself, if its calls were recorded
 * @param split of the time from its first state's begin to its last one's end
 * @param wakeUps states of waiting that ended
 * @param atLeast events were lost during this time
 */
public record ThreadTimes(
    ThreadCalls thread,
    Optional<ThreadCalls> owner,
    CauseSplit split,
    long wakeUps,
    boolean atLeast) {
  /** The name that the program gives it; otherwise the kernel's. */
  public String name() {
    return owner.orElse(thread).definition().name();
  }
}
