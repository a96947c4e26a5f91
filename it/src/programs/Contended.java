import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that fight for one lock and one monitor for so many seconds; says how often they got
 * them. What is recorded of their waiting is measured by what it costs them.
 */
public class Contended {
  static final Object monitor = new Object();
  static final ReentrantLock lock = new ReentrantLock();
  static volatile boolean end;
  static long sum;

  static long work(long n) {
    for (int i = 0; i < 200; i++) {
      n = n * 31 + i;
    }
    return n;
  }

  public static void main(String[] arguments) throws Exception {
    int seconds = Integer.parseInt(arguments[0]);
    Thread[] threads = new Thread[Integer.parseInt(arguments[1])];
    long[] times = new long[threads.length];
    for (int i = 0; i < threads.length; i++) {
      int n = i;
      threads[i] =
          new Thread(
              () -> {
                while (!end) {
                  synchronized (monitor) {
                    sum = work(sum);
                  }
                  lock.lock();
                  try {
                    sum = work(sum);
                  } finally {
                    lock.unlock();
                  }
                  times[n]++;
                }
              });
      threads[i].start();
    }
    Thread.sleep(1000L * seconds);
    end = true;
    long all = 0;
    for (int i = 0; i < threads.length; i++) {
      threads[i].join();
      all += times[i];
    }
    System.out.println(all / seconds);
  }
}
