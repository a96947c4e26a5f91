/** Waits, runs and loads classes in methods of their own, and prints how long it slept. */
public class SelfTimes {
  private static final long MILLION = 1_000_000;

  static void sleeps() throws InterruptedException {
    Thread.sleep(150);
  }

  static long runs() {
    long end = System.nanoTime() + 50 * MILLION;
    long rounds = 0;
    while (System.nanoTime() < end) {
      rounds++;
    }
    return rounds;
  }

  static int loads() {
    return new Loaded().answer();
  }

  static class Loaded {
    int answer() {
      return 42;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    long begin = System.nanoTime();
    sleeps();
    long slept = System.nanoTime() - begin;
    runs();
    loads();
    System.out.println(slept);
  }
}
