package dev.kymo.analysis.locks;

/** What threads wait for at one another. */
public enum LockKind {
  MUTEX("mutex", true),
  RWLOCK("rwlock", true),
  SPINLOCK("spinlock", true),
  SEMAPHORE("semaphore", false),
  CONDITION("condition", false),
  BARRIER("barrier", false),
  /** Of a Java object; only waits are known. */
  MONITOR("monitor", true),
  /** Of {@code java.util.concurrent}; only waits are known. */
  JAVA_LOCK("lock", true);

  private final String word;
  private final boolean owned;

  LockKind(String word, boolean owned) {
    this.word = word;
    this.owned = owned;
  }

  /** As tables show it. */
  public String word() {
    return word;
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
