package dev.kymo.recorder.ring;

import dev.kymo.format.ControlLayout;
import dev.kymo.recorder.platform.TickClock;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the drainer as long as it lives. A drainer that is stopped, or has no processor, lives:
 * it holds a lock that the kernel takes from it only when it dies. That also works across
 * process-id name spaces. Where the lock cannot be looked at, as in a program that changed its root
 * directory, a long time without a heartbeat is taken for death. A drainer in this very process is
 * not looked for: it would lose its lock by that.
 */
public final class DrainerWatch {
  private static final long HEARTBEAT_PATIENCE = TimeUnit.SECONDS.toNanos(10);
  private static final long LOOK_PERIOD = TimeUnit.MILLISECONDS.toNanos(90);

  private static volatile @Nullable Path here;

  private final ByteBuffer control;
  private final MethodHandle clock;
  private final Path lock;
  private long lastBeat;
  private long lastChange = System.nanoTime();
  private volatile long nextLook = System.nanoTime();
  private volatile boolean dead;

  /**
   * A watch.
   *
   * @param lock the file that the drainer has locked: {@link ControlLayout#ALIVE}
   */
  public DrainerWatch(ByteBuffer control, MethodHandle clock, Path lock) {
    this.control = control;
    this.clock = clock;
    this.lock = lock;
  }

  /**
   * The drainer of a session is a thread of this process.
   *
   * @param lock that it has locked; null: there is no such drainer any more
   */
  public static void isHere(@Nullable Path lock) {
    here = lock;
  }

  public long now() {
    return TickClock.read(clock);
  }

  /** Whether the drainer asked to stop, or is dead. */
  public boolean stopRequested() {
    return dead || asked();
  }

  private boolean asked() {
    return control.getInt(ControlLayout.STOP_OFFSET) != 0;
  }

  /**
   * Waits a moment; false when waiting is in vain. Never parks, because that could take the
   * program's own permit, and never lets a virtual thread leave its carrier.
   */
  public boolean await(boolean virtual) {
    if (stopRequested()) {
      return false;
    }
    if (virtual || Thread.currentThread().isInterrupted()) {
      for (int i = 0; i < 1000; i++) {
        Thread.onSpinWait();
      }
      return !dead; // opening a file could move it, or fail: other threads look
    }
    try {
      Thread.sleep(0, 50_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return isAlive();
  }

  /** Whether the drainer lives; looks for it now and then. Not for virtual threads. */
  public boolean isAlive() {
    long now = System.nanoTime();
    if (!dead && !asked() && now - nextLook >= 0) {
      nextLook = now + LOOK_PERIOD;
      if (!lock.equals(here)) {
        look(now);
      }
    }
    return !dead;
  }

  private synchronized void look(long now) {
    long beat = control.getLong(ControlLayout.HEARTBEAT_OFFSET);
    if (beat != lastBeat) {
      lastBeat = beat;
      lastChange = now;
      return;
    }
    boolean gone;
    try (FileChannel file = FileChannel.open(lock, StandardOpenOption.READ);
        FileLock free = file.tryLock(0, Long.MAX_VALUE, true)) {
      gone = free != null;
    } catch (IOException | RuntimeException e) {
      gone = now - lastChange > HEARTBEAT_PATIENCE;
    }
    // A drainer that ends says so before it gives up the lock.
    dead = gone && !asked();
  }
}
