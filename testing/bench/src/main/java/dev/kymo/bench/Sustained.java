package dev.kymo.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls a method at a steady rate from several threads, and prints how often, to be compared with
 * the recording. Each call is two events.
 *
 * <p>Arguments: seconds, threads, events a second of all threads together.
 */
public final class Sustained {
  private static final int BATCH = 2_000;

  private static final AtomicLong CALLS = new AtomicLong();
  private static final AtomicLong SLOWEST = new AtomicLong();

  private Sustained() {}

  /** Prints the number of calls, and how long they took. */
  public static void main(String[] arguments) throws InterruptedException {
    long seconds = Long.parseLong(arguments[0]);
    int threads = Integer.parseInt(arguments[1]);
    long callsPerThread = Long.parseLong(arguments[2]) / 2 / threads * seconds;
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(() -> run(callsPerThread, seconds), "sender-" + i);
      thread.start();
      running.add(thread);
    }
    for (Thread thread : running) {
      thread.join();
    }
    System.out.println("{\"calls\":" + CALLS.get() + ",\"seconds\":" + SLOWEST.get() / 1e9 + "}");
  }

  /** Not to be recorded. */
  private static void run(long calls, long seconds) {
    long begin = System.nanoTime();
    double nanosPerCall = seconds * 1e9 / calls;
    int sum = 0;
    for (long done = 0; done < calls; done += BATCH) {
      while (System.nanoTime() - begin < done * nanosPerCall) {
        Thread.onSpinWait();
      }
      for (int i = 0; i < BATCH; i++) {
        sum += call(i);
      }
      CALLS.addAndGet(BATCH);
    }
    long took = System.nanoTime() - begin;
    SLOWEST.accumulateAndGet(sum == 1 ? took + 1 : took, Math::max);
  }

  /** The recorded method. */
  static int call(int n) {
    return n * 31 + 7;
  }
}
