package dev.kymo.recorder;

import dev.kymo.format.ControlLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the drainer as long as it lives. Its heartbeat is the only sign of life that also works
 * across process-id name spaces.
 */
final class DrainerWatch {
  /** Without a heartbeat for so long the drainer is taken for dead. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

  private final ByteBuffer control;
  private final MethodHandle clock;
  private volatile long lastBeat;
  private volatile long lastChange = System.nanoTime();
  private volatile boolean dead;

  DrainerWatch(ByteBuffer control, MethodHandle clock) {
    this.control = control;
    this.clock = clock;
  }

  /** The recording's clock. */
  long now() {
    return TickClock.read(clock);
  }

  /** Whether the drainer asked to stop, or is gone. */
  boolean stopRequested() {
    return dead || control.getInt(ControlLayout.STOP_OFFSET) != 0;
  }

  /**
   * Waits a moment; false when waiting is in vain. Never parks, because that could take the
   * program's own permit, and never lets a virtual thread leave its carrier.
   */
  boolean await(boolean virtual) {
    if (stopRequested()) {
      return false;
    }
    if (virtual || Thread.currentThread().isInterrupted()) {
      for (int i = 0; i < 1000; i++) {
        Thread.onSpinWait();
      }
    } else {
      try {
        Thread.sleep(0, 50_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return isAlive();
  }

  boolean isAlive() {
    long beat = control.getLong(ControlLayout.HEARTBEAT_OFFSET);
    long now = System.nanoTime();
    if (beat != lastBeat) {
      lastBeat = beat;
      lastChange = now;
    } else if (now - lastChange > PATIENCE) {
      dead = true;
    }
    return !dead;
  }
}
