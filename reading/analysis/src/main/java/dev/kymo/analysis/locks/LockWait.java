package dev.kymo.analysis.locks;

import dev.kymo.format.Definition.TracedThread;
import dev.kymo.model.calls.ThreadCalls;
import java.util.Optional;

/**
 * A long wait.
 *
 * @param object its kind and name, or address
 * @param begin nanoseconds since the recording's begin
 * @param time nanoseconds
 * @param acquired whether the thread has got the object
 * @param open whether it waited until the end
 * @param place where it waited
 * @param holder who had the object when it began to wait; empty = unknown, or nobody can have it
 * @param releaser who let it go on or, if it is open, has the object; empty = unknown
 */
public record LockWait(
    String object,
    ThreadCalls thread,
    long begin,
    long time,
    boolean acquired,
    boolean open,
    LockPlace place,
    Optional<Holder> holder,
    Optional<TracedThread> releaser) {

  /**
   * Who had the object.
   *
   * @param since nanoseconds since the recording's begin
   * @param place where it was when the other one began to wait; the caller is that which got it
   */
  public record Holder(ThreadCalls thread, long since, LockPlace place) {}
}
