package dev.kymo.analysis.locks;

/** Hears of what threads do with locks, in the order of time. */
interface LockListener {
  /** A thread that has something takes something else that it has not, and waits if need be. */
  default void nested(HeldLocks thread, LockObject wanted, LockCall call) {}

  /**
   * A thread has taken an object, or tried to.
   *
   * @param waited clock ticks
   */
  default void taken(
      HeldLocks thread, LockObject object, LockCall call, boolean acquired, long waited) {}

  /** A thread has an object no longer; to be asked about the hold until this returns. */
  default void released(HeldLocks thread, HeldLocks.Hold hold, long clock) {}
}
