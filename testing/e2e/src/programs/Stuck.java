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

  /**
   * How often the recorder's thread had waited by now, if it sleeps between two rounds; else -1. It
   * waits for other things while it begins, and within a round.
   */
  static long sleepBetweenRounds() {
    for (var thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("kymo waits")) {
        ThreadInfo info =
            ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId(), Integer.MAX_VALUE);
        return info != null && sleeps(info.getStackTrace()) ? info.getWaitedCount() : -1;
      }
    }
    return -1; // not recorded yet
  }

  static boolean sleeps(StackTraceElement[] stack) {
    return stack.length > 0
        && stack[0].getMethodName().startsWith("sleep")
        && Stream.of(stack).noneMatch(at -> at.getMethodName().matches("begin|round"));
  }

  /** Its end shows by when the recorder has looked. */
  static void awaitLooks() throws InterruptedException {
    long last = -1;
    for (int rounds = 0; rounds < ROUNDS; Thread.sleep(10)) {
      long sleep = sleepBetweenRounds();
      if (sleep >= 0 && sleep != last) {
        last = sleep;
        rounds++;
      }
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
