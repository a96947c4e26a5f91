package dev.kymo.recorder.platform;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** Threads that do something for a recording for a while; none of them outlives it. */
public final class BackgroundThreads {
  private static final long LONGEST_WAIT_MILLIS = 10_000;

  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  /** Runs something on a thread of its own, which must end soon after the recording has stopped. */
  public void run(Runnable work, String name) {
    threads.removeIf(thread -> !thread.isAlive());
    Thread thread = RecorderThreads.daemon(work, name);
    thread.start();
    threads.add(thread);
  }

  /** Waits until all have ended, now that the recording has stopped. */
  public void awaitEnd() {
    try {
      for (Thread thread : threads) {
        LockSupport.unpark(thread); // it need not wait until it is due
        thread.join(LONGEST_WAIT_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // then they end after the recording
    }
  }
}
