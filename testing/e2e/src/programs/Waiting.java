import java.lang.ref.ReferenceQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits in every possible way, for at least 50 ms each, and prints for how long: thread, kind, and
 * the nanoseconds from just before it to just after it.
 */
public class Waiting {
  static final long LEAST = 50_000_000L;

  static class Monitor {}

  static class Signal {
    boolean given;
  }

  interface Wait {
    void run() throws Exception;
  }

  static void say(String kind, Wait wait) throws Exception {
    long begin = System.nanoTime();
    wait.run();
    long end = System.nanoTime();
    synchronized (Waiting.class) {
      System.out.println(Thread.currentThread().getName() + " " + kind + " " + (end - begin));
    }
  }

  static void pause() throws InterruptedException {
    long until = System.nanoTime() + LEAST;
    while (System.nanoTime() < until) {
      Thread.sleep(10);
    }
  }

  /** Waits until a thread seems to wait. */
  static void awaitState(Thread thread, Thread.State... states) throws InterruptedException {
    while (!java.util.List.of(states).contains(thread.getState())) {
      Thread.sleep(1);
    }
    pause();
  }

  static Thread start(String name, String kind, Wait wait) {
    Thread thread =
        new Thread(
            () -> {
              try {
                say(kind, wait);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            },
            name);
    thread.start();
    return thread;
  }

  static void monitor() throws Exception {
    Monitor monitor = new Monitor();
    Thread thread;
    synchronized (monitor) {
      thread =
          start(
              "monitor-waiter",
              "monitor",
              () -> {
                synchronized (monitor) {
                  monitor.hashCode();
                }
              });
      awaitState(thread, Thread.State.BLOCKED);
    }
    thread.join();
  }

  static void lock() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Thread thread;
    lock.lock();
    try {
      thread =
          start(
              "lock-waiter",
              "lock",
              () -> {
                lock.lock();
                lock.unlock();
              });
      awaitState(thread, Thread.State.WAITING);
    } finally {
      lock.unlock();
    }
    thread.join();
  }

  static void condition() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Condition condition = lock.newCondition();
    boolean[] given = {false};
    Thread thread =
        start(
            "condition-waiter",
            "wait",
            () -> {
              lock.lock();
              try {
                while (!given[0]) {
                  condition.await();
                }
              } finally {
                lock.unlock();
              }
            });
    awaitState(thread, Thread.State.WAITING);
    lock.lock();
    given[0] = true;
    condition.signal();
    lock.unlock();
    thread.join();
  }

  static void park() throws Exception {
    Thread thread = start("park-waiter", "park", () -> LockSupport.park("a string"));
    awaitState(thread, Thread.State.WAITING);
    LockSupport.unpark(thread);
    thread.join();
  }

  static void waitNotify() throws Exception {
    Signal signal = new Signal();
    Thread thread =
        start(
            "notify-waiter",
            "wait",
            () -> {
              synchronized (signal) {
                while (!signal.given) {
                  signal.wait();
                }
              }
            });
    awaitState(thread, Thread.State.WAITING);
    synchronized (signal) {
      signal.given = true;
      signal.notifyAll();
    }
    thread.join();
  }

  static void join() throws Exception {
    Thread sleeper = start("sleeper", "sleep", () -> Thread.sleep(120));
    Thread thread = start("join-waiter", "join", sleeper::join);
    sleeper.join();
    thread.join();
  }

  static void reference() throws Exception {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    start("reference-waiter", "wait", () -> queue.remove(60)).join();
  }

  static void virtual() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    Thread thread =
        (Thread)
            Thread.class
                .getMethod("startVirtualThread", Runnable.class)
                .invoke(
                    null,
                    (Runnable)
                        () -> {
                          Thread.currentThread().setName("virtual-waiter");
                          try {
                            say("park", latch::await);
                          } catch (Exception e) {
                            throw new IllegalStateException(e);
                          }
                        });
    awaitState(thread, Thread.State.WAITING);
    latch.countDown();
    thread.join();
  }

  public static void main(String[] arguments) throws Exception {
    monitor();
    lock();
    condition();
    park();
    waitNotify();
    join();
    reference();
    if (Runtime.version().feature() >= 21) {
      virtual();
    }
    System.gc();
    Thread.currentThread().interrupt();
    LockSupport.park();
    System.out.println(Thread.interrupted() ? "interrupted" : "not interrupted");
    LockSupport.unpark(Thread.currentThread());
    LockSupport.park();
    // The last thing that happens: not to be lost when the virtual machine goes down.
    Thread last = start("last", "sleep", () -> Thread.sleep(60));
    last.join();
  }
}
