import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads that leave their carriers inside calls. */
public class Virtual {
  static final AtomicInteger done = new AtomicInteger();
  static final ReentrantLock lock = new ReentrantLock();

  static void outer(int n) throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      inner(n, i);
    }
    done.incrementAndGet();
  }

  static void inner(int n, int i) throws InterruptedException {
    Thread.sleep((n + i) % 3);
    lock.lock();
    try {
      leaf(n);
    } finally {
      lock.unlock();
    }
    Thread.yield();
  }

  static int leaf(int n) {
    return Integer.parseInt(String.valueOf(n));
  }

  public static void main(String[] arguments) throws Exception {
    int threads = Integer.parseInt(arguments[0]);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < threads; i++) {
        int n = i;
        executor.submit(() -> {
          outer(n);
          return null;
        });
      }
    }
    System.out.println(done.get());
  }
}
