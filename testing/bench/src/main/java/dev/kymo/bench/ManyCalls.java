package dev.kymo.bench;

/**
 * Makes very many nested calls of some methods from two threads, and a few of a rare method. Sums
 * over a recording of it take long.
 *
 * <p>Arguments: millions of calls in all.
 */
public final class ManyCalls {
  private static final int THREADS = 2;
  private static final int PARTS = 1000;

  private ManyCalls() {}

  public static void main(String[] arguments) throws InterruptedException {
    long calls = Long.parseLong(arguments[0]) * 1_000_000 / THREADS;
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      int seed = i + 1;
      threads[i] = new Thread(() -> new Caller(seed).run(calls), "caller-" + i);
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** The recorded class. */
  static final class Caller {
    private int random;
    private long made;

    Caller(int seed) {
      random = seed;
    }

    private int next() {
      random = random * 1_103_515_245 + 12_345;
      return random >>> 16 & 7;
    }

    void run(long calls) {
      for (int part = 0; part < PARTS; part++) {
        if (part % 300 == 299) {
          rare();
        }
        while (made < calls / PARTS * (part + 1)) {
          first(6);
        }
      }
    }

    void rare() {
      made++;
    }

    void first(int depth) {
      made++;
      call(depth);
    }

    void second(int depth) {
      made++;
      call(depth);
    }

    void third(int depth) {
      made++;
      call(depth - 1);
    }

    void last() {
      made++;
    }

    private void call(int depth) {
      if (depth <= 0) {
        return;
      }
      switch (next()) {
        case 0, 1 -> first(depth - 1);
        case 2, 3 -> {
          second(depth - 1);
          third(depth - 2);
        }
        case 4, 5 -> {
          third(depth - 1);
          last();
        }
        default -> last();
      }
    }
  }
}
