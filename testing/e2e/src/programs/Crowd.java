import java.util.concurrent.CountDownLatch;

/** Many threads that live at the same time; each of them makes ten calls. */
public class Crowd {
  private static volatile int sum;

  public static void main(String[] arguments) throws Exception {
    int size = Integer.parseInt(arguments[0]);
    CountDownLatch all = new CountDownLatch(size);
    Thread[] threads = new Thread[size];
    for (int i = 0; i < size; i++) {
      threads[i] = new Thread(() -> run(all));
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void run(CountDownLatch all) {
    for (int i = 0; i < 10; i++) {
      step(i);
    }
    all.countDown();
    try {
      all.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static void step(int n) {
    sum = Math.addExact(sum, n);
  }
}
