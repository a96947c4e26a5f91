package dev.kymo.format;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The kind of a thread's wait. A state on a track of kind {@link Definition.TracedThread#STATES}
 * has the {@link #word} as its type's name. The agent writes the first group, the thread library in
 * C the second; a reader meets other words where a newer version has recorded.
 */
public enum WaitKind {
  /** To enter a {@code synchronized} block. */
  MONITOR,
  /** A lock of {@code java.util.concurrent}. */
  LOCK,
  /** {@code LockSupport.park} for anything else. */
  PARK,
  /** Time. */
  SLEEP,
  /** A notification, the signal of a condition, or a reference. */
  WAIT,
  /** The end of another thread. */
  JOIN,
  /** To run for the first time. */
  START,
  /** Until Kymo has put probes into a class that the thread loads. */
  WEAVING,

  MUTEX,
  RWLOCK,
  SPINLOCK,
  CONDITION,
  SEMAPHORE,
  BARRIER,
  ONCE;

  private static final Map<String, WaitKind> BY_WORD = new HashMap<>();

  static {
    for (WaitKind kind : values()) {
      BY_WORD.put(kind.word(), kind);
    }
  }

  private final String word = name().toLowerCase(Locale.ROOT);

  /** As recordings, tables and the viewer have it. */
  public String word() {
    return word;
  }

  /** Whether a state with this type's name is of this kind. */
  public boolean is(String type) {
    return word.equals(type);
  }

  /** The kind with this word; empty if the word is of another version. */
  public static Optional<WaitKind> of(String word) {
    return Optional.ofNullable(BY_WORD.get(word));
  }
}
