import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Virtual threads that wait at a monitor, more of them than there are carriers, and then others
 * that wait for a notification or sleep. Prints for how long each has waited, in nanoseconds: its
 * name, what it did, and the sum.
 */
public class VirtualWaits {
  static final int THREADS = 40;
  static final int ROUNDS = 5;
  static final long LEAST = 50_000_000L;

  static class Busy {}

  static class Signal {
    boolean given;
  }

  static void enter(Busy busy, Semaphore all) throws InterruptedException {
    long waited = 0;
    all.acquire();
    for (int i = 0; i < ROUNDS; i++) {
      long begin = System.nanoTime();
      synchronized (busy) {
        waited += System.nanoTime() - begin;
        Thread.sleep(2);
      }
    }
    say("monitor", waited);
  }

  static synchronized void say(String what, long waited) {
    System.out.println(Thread.currentThread().getName() + " " + what + " " + waited);
  }

  static Thread start(String name, Runnable work) {
    return Thread.ofVirtual().name(name).start(work);
  }

  static void monitors() throws InterruptedException {
    Busy busy = new Busy();
    Semaphore all = new Semaphore(0);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          start(
              "enters-" + i,
              () -> {
                try {
                  enter(busy, all);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    all.release(THREADS);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  static void notification() throws InterruptedException {
    Signal signal = new Signal();
    Thread waiter =
        start(
            "is-notified",
            () -> {
              long begin = System.nanoTime();
              synchronized (signal) {
                while (!signal.given) {
                  try {
                    signal.wait();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }
              }
              say("wait", System.nanoTime() - begin);
            });
    while (waiter.getState() != Thread.State.WAITING) {
      Thread.sleep(1);
    }
    pause();
    synchronized (signal) {
      signal.given = true;
      signal.notifyAll();
    }
    waiter.join();
  }

  static void pause() throws InterruptedException {
    long until = System.nanoTime() + LEAST;
    while (System.nanoTime() < until) {
      Thread.sleep(10);
    }
  }

  static void sleep() throws InterruptedException {
    start(
            "sleeps",
            () -> {
              long begin = System.nanoTime();
              try {
                Thread.sleep(LEAST / 1_000_000);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              say("sleep", System.nanoTime() - begin);
            })
        .join();
  }

  public static void main(String[] arguments) throws Exception {
    monitors();
    notification();
    sleep();
  }
}
