package dev.kymo.scripts;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/**
 * Looks from another thread whether a script's call ends. The script's thread writes a number, odd
 * while a call runs, which costs next to nothing; nobody waits for anybody.
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
  private final long patienceMillis;
  private long number;

  /**
   * Watches from now on.
   *
   * @param stuck is called once if a call does not end
   */
  Watch(long patienceMillis, Runnable stuck) {
    this.patienceMillis = patienceMillis;
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
      while (true) {
        TimeUnit.MILLISECONDS.sleep(patienceMillis);
        long now = (long) NUMBER.getOpaque(this);
        if (now == seen && (now & 1) != 0) {
          stuck.run();
          return;
        }
        seen = now;
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
