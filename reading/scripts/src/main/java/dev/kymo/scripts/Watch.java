package dev.kymo.scripts;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/**
 * Looks from another thread whether a script's call ends. The script's thread writes a number, odd
 * while a call runs, which costs next to nothing; nobody waits for anybody. What counts is the
 * processor time of that thread: a busy machine is not the script's fault.
 */
final class Watch implements AutoCloseable {
  private static final VarHandle NUMBER;

  static {
    try {
      NUMBER = MethodHandles.lookup().findVarHandle(Watch.class, "number", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Runnable stuck;
  private final Thread thread;
  private final long patienceNanos;
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final long watched = Thread.currentThread().threadId();
  private long number;

  /**
   * Watches the calls of the current thread from now on.
   *
   * @param patienceNanos processor time that a call may take
   * @param stuck is called once if a call does not end
   */
  Watch(long patienceNanos, Runnable stuck) {
    this.patienceNanos = patienceNanos;
    this.stuck = stuck;
    thread = Thread.ofPlatform().daemon().name("kymo-script-watch").unstarted(this::watch);
    thread.start();
  }

  void running() {
    NUMBER.setOpaque(this, number | 1);
  }

  void pause() {
    NUMBER.setOpaque(this, (number | 1) + 1);
  }

  private void watch() {
    try {
      long seen = 0;
      long seenAt = 0;
      while (true) {
        TimeUnit.NANOSECONDS.sleep(patienceNanos);
        long now = (long) NUMBER.getOpaque(this);
        if (now != seen) {
          seen = now;
          seenAt = threads.getThreadCpuTime(watched);
        } else if ((now & 1) != 0 && threads.getThreadCpuTime(watched) - seenAt > patienceNanos) {
          stuck.run();
          return;
        }
      }
    } catch (InterruptedException e) {
      // the script is closed
    }
  }

  @Override
  public void close() {
    pause();
    thread.interrupt();
  }
}
