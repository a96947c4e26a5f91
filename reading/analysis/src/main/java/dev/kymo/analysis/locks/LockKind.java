package dev.kymo.analysis.locks;

import dev.kymo.format.WaitKind;

/** What threads wait for at one another. */
public enum LockKind {
  MUTEX(WaitKind.MUTEX, true),
  RWLOCK(WaitKind.RWLOCK, true),
  SPINLOCK(WaitKind.SPINLOCK, true),
  SEMAPHORE(WaitKind.SEMAPHORE, false),
  CONDITION(WaitKind.CONDITION, false),
  BARRIER(WaitKind.BARRIER, false),
  /** Of a Java object; only waits are known. */
  MONITOR(WaitKind.MONITOR, true),
  /** Of {@code java.util.concurrent}; only waits are known. */
  JAVA_LOCK(WaitKind.LOCK, true);

  private final WaitKind waits;
  private final boolean owned;

  LockKind(WaitKind waits, boolean owned) {
    this.waits = waits;
    this.owned = owned;
  }

  /** As tables show it. */
  public String word() {
    return waits.word();
  }

  /** Whether the thread that got it has it until that thread gives it back. */
  public boolean isOwned() {
    return owned;
  }

  /** Whether every operation is recorded, and not only waits. */
  public boolean isWhole() {
    return this != MONITOR && this != JAVA_LOCK;
  }

  /** Whether a thread has it for some time: a semaphore only if the same thread posts it. */
  boolean isHeld() {
    return this == MUTEX || this == RWLOCK || this == SPINLOCK || this == SEMAPHORE;
  }
}
