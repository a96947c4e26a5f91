import java.util.concurrent.CountDownLatch;

/**
 * The main thread waits for a worker, which waits for a lock, whose holder sleeps: prints how long
 * the main thread waited.
 */
public class Chain {
  private static final Object LOCK = new Object();
  private static final CountDownLatch HELD = new CountDownLatch(1);
  private static final CountDownLatch DONE = new CountDownLatch(1);
  private static final Thread MAIN = Thread.currentThread();
  private static final Thread WORKER = new Thread(Chain::work, "worker");

  /** Sleeps with the lock for a second from the moment on when both others wait. */
  static void hold() {
    synchronized (LOCK) {
      HELD.countDown();
      while (WORKER.getState() != Thread.State.BLOCKED || MAIN.getState() != Thread.State.WAITING) {
        sleep(1);
      }
      sleep(1000);
    }
  }

  static void work() {
    synchronized (LOCK) {
      sleep(1);
    }
    sleep(200);
    DONE.countDown();
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static void order() throws InterruptedException {
    DONE.await();
  }

  public static void main(String[] args) throws InterruptedException {
    new Thread(Chain::hold, "holder").start();
    HELD.await();
    WORKER.start();
    long begin = System.nanoTime();
    order();
    System.out.println(System.nanoTime() - begin);
  }
}
