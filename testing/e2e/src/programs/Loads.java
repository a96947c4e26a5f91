import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Loads classes on eight threads, calls them, and has threads wait for each other, until a file
 * exists. Says how many classes it had at least once two thousand are loaded.
 */
public class Loads extends ClassLoader {
  private static final int THREADS = 8;
  private static final AtomicLong LOADED = new AtomicLong();
  private static final Object SHARED = new Object();

  /** A class that each loader makes anew. */
  public static class Work implements Runnable {
    static long sum;

    @Override
    public void run() {
      for (int i = 0; i < 2000; i++) {
        sum = hot(sum, i);
      }
      warm();
    }

    static long hot(long a, int b) {
      return a + b;
    }

    static void warm() {
      if (sum != 2000L * 1999 / 2) {
        throw new IllegalStateException("sum=" + sum);
      }
      sum = 0;
    }
  }

  private final byte[] classFile;

  Loads(byte[] classFile) {
    super(Loads.class.getClassLoader());
    this.classFile = classFile;
  }

  Runnable work() throws Exception {
    Class<?> type = defineClass("Loads$Work", classFile, 0, classFile.length);
    return (Runnable) type.getConstructor().newInstance();
  }

  private static void loads(byte[] classFile, Path end) {
    try {
      for (int i = 0; !Files.exists(end); i++) {
        Runnable work = new Loads(classFile).work();
        work.run();
        work.run();
        synchronized (SHARED) {
          LockSupport.parkNanos(10_000);
        }
        if (i % 50 == 0) {
          Thread thread = new Thread(work, "short");
          thread.start();
          thread.join();
        }
        if (LOADED.incrementAndGet() == 2000) {
          System.out.println("loaded");
        }
      }
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(3);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path end = Path.of(arguments[0]);
    byte[] classFile;
    try (InputStream in = Loads.class.getResourceAsStream("Loads$Work.class")) {
      classFile = in.readAllBytes();
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(() -> loads(classFile, end), "loads " + i);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("fine");
  }
}
