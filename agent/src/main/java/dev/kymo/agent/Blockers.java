package dev.kymo.agent;

import dev.kymo.recorder.Parking.Park;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/** What a thread waits for when it parks. */
final class Blockers {
  private static final String LATCH = "java.util.concurrent.CountDownLatch$Sync";

  private Blockers() {}

  /**
   * {@code lock}: for something that a thread can have; {@code wait}: for the signal of a lock's
   * condition; {@code park}: for anything else.
   */
  static String kind(Park park) {
    Class<?> type = park.blocker;
    if (is(type, AbstractQueuedSynchronizer.ConditionObject.class)
        || is(type, AbstractQueuedLongSynchronizer.ConditionObject.class)) {
      return "wait";
    }
    boolean lock = park.synchronizer || is(type, StampedLock.class);
    return lock && type != null && !type.getName().equals(LATCH) ? "lock" : "park";
  }

  static String name(Park park) {
    return park.blocker == null ? "" : park.blocker.getName();
  }

  private static boolean is(@Nullable Class<?> type, Class<?> wanted) {
    return type != null && wanted.isAssignableFrom(type);
  }
}
