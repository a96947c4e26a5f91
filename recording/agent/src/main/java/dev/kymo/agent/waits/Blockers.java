package dev.kymo.agent.waits;

import dev.kymo.format.WaitKind;
import dev.kymo.recorder.waits.Parking.Park;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/** Finds what a thread waits for when it parks. */
final class Blockers {
  private static final String LATCH = "java.util.concurrent.CountDownLatch$Sync";

  private Blockers() {}

  /**
   * {@code lock}: for something that a thread can hold; {@code wait}: for the signal of a lock's
   * condition, or a reference; {@code start}: for being run the first time; {@code sleep}: for a
   * time; {@code park}: for anything else.
   */
  static WaitKind kind(Park park) {
    return switch (park.kind) {
      case START -> WaitKind.START;
      case SLEEP -> WaitKind.SLEEP;
      default -> kind(park.blocker, park.synchronizer);
    };
  }

  /** For a park whose begin was not reported. */
  static WaitKind kind(@Nullable Object blocker) {
    return blocker == null
        ? WaitKind.PARK
        : kind(blocker.getClass(), blocker instanceof AbstractOwnableSynchronizer);
  }

  private static WaitKind kind(@Nullable Class<?> type, boolean synchronizer) {
    if (is(type, ReferenceQueue.class)
        || is(type, AbstractQueuedSynchronizer.ConditionObject.class)
        || is(type, AbstractQueuedLongSynchronizer.ConditionObject.class)) {
      return WaitKind.WAIT;
    }
    boolean lock = synchronizer || is(type, StampedLock.class);
    return lock && type != null && !type.getName().equals(LATCH) ? WaitKind.LOCK : WaitKind.PARK;
  }

  /** Whether it waits for a reference, as threads of the virtual machine always do. */
  static boolean isReference(Park park) {
    return is(park.blocker, ReferenceQueue.class);
  }

  static String name(Park park) {
    return park.blocker == null ? "" : park.blocker.getName();
  }

  private static boolean is(@Nullable Class<?> type, Class<?> wanted) {
    return type != null && wanted.isAssignableFrom(type);
  }
}
