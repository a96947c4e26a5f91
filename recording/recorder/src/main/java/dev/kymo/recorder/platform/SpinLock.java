package dev.kymo.recorder.platform;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A lock for a few instructions. No virtual thread leaves its carrier for it, as it may for a
 * monitor.
 */
public final class SpinLock {
  private final AtomicBoolean held = new AtomicBoolean();

  public void acquire() {
    while (!held.compareAndSet(false, true)) {
      Thread.onSpinWait();
    }
  }

  public void release() {
    held.set(false);
  }
}
