import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Threads that wait forever in every possible way, and some that have waited. When the recorder has
 * looked at all of them, the program ends, or prints its number and waits for somebody to end it.
 * The recorder looks once in ten rounds, between which its thread sleeps.
 */
public class Stuck {
  private static final int ROUNDS = 25;

  static class Left {}

  static class Right {}

  static class Signal {}

  interface Wait {
    void run() throws Exception;
  }

  static Thread start(String name, Wait wait) {
    Thread thread =
        new Thread(
            () -> {
              try {
                stay(wait);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Its call shows when the thread began. */
  static void stay(Wait wait) throws Exception {
    wait.run();
  }

  static void both(Object first, Object second, CountDownLatch bothHaveOne) throws Exception {
    synchronized (first) {
      bothHaveOne.countDown();
      bothHaveOne.await();
      synchronized (second) {
        throw new IllegalStateException("no deadlock");
      }
    }
  }

  static void await(Thread thread, Thread.State state) throws InterruptedException {
    while (thread.getState() != state) {
      Thread.sleep(1);
    }
  }

  /** Negative before the first look. */
  static long rounds() {
    for (var thread : Thread.getAllStackTraces().entrySet()) {
      if (thread.getKey().getName().equals("kymo waits")) {
        long id = thread.getKey().getId();
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(id);
        return begins(thread.getValue()) ? -1 : info.getWaitedCount();
      }
    }
    return -1; // not recorded yet
  }

  static boolean begins(StackTraceElement[] recorder) {
    return Stream.of(recorder).anyMatch(at -> at.getMethodName().equals("begin"));
  }

  /** Its end shows by when the recorder has looked. */
  static void awaitLooks() throws InterruptedException {
    long first = rounds();
    while (first < 0) {
      Thread.sleep(10);
      first = rounds();
    }
    while (rounds() < first + ROUNDS) {
      Thread.sleep(10);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Object left = new Left();
    Object right = new Right();
    Signal signal = new Signal();
    CountDownLatch bothHaveOne = new CountDownLatch(2);
    Thread one = start("left-right", () -> both(left, right, bothHaveOne));
    Thread other = start("right-left", () -> both(right, left, bothHaveOne));
    Thread sleeper = start("sleeper", () -> Thread.sleep(1_000_000_000L));
    Thread joiner = start("joiner", sleeper::join);
    Thread waiter =
        start(
            "waiter",
            () -> {
              synchronized (signal) {
                signal.wait();
              }
            });
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch taken = new CountDownLatch(1);
    Thread holder =
        start(
            "holder",
            () -> {
              lock.lock();
              taken.countDown();
              synchronized (signal) {
                signal.wait(1_000_000_000L);
              }
            });
    taken.await();
    Thread locker = start("locker", lock::lock);
    Thread shortly = start("shortly", () -> Thread.sleep(20));
    await(one, Thread.State.BLOCKED);
    await(other, Thread.State.BLOCKED);
    await(sleeper, Thread.State.TIMED_WAITING);
    await(joiner, Thread.State.WAITING);
    await(waiter, Thread.State.WAITING);
    await(holder, Thread.State.TIMED_WAITING);
    await(locker, Thread.State.WAITING);
    shortly.join();
    Object[] given = {null};
    Thread late =
        start(
            "late",
            () -> {
              synchronized (given) {
                while (given[0] == null) {
                  given.wait();
                }
              }
              while (true) {
                given[0].hashCode(); // runs
              }
            });
    await(late, Thread.State.WAITING);
    awaitLooks();
    synchronized (given) {
      given[0] = "go";
      given.notifyAll();
    }
    await(late, Thread.State.RUNNABLE);
    if (arguments.length > 0) {
      System.out.println("stuck");
      while (System.in.read() >= 0) {}
    }
    System.exit(0);
  }
}
