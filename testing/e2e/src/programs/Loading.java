/**
 * One thread takes all of a processor, one almost nothing, and one first all and then nothing,
 * until each has taken its processor time; prints what the busy threads took, in nanoseconds.
 */
public class Loading {
  static final long BUSY = 4_000_000_000L;
  static volatile long sink;

  static long cpu() {
    return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  static void spin(long nanos) {
    for (long until = cpu() + nanos; cpu() < until; ) {
      for (int i = 0; i < 100_000; i++) {
        sink += i;
      }
    }
  }

  static void nap(Thread while_) throws InterruptedException {
    while (while_.isAlive()) {
      Thread.sleep(20);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Thread busy = new Thread(() -> spin(BUSY), "busy");
    Thread changing =
        new Thread(
            () -> {
              spin(BUSY / 2);
              try {
                nap(busy);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            "changing");
    busy.start();
    changing.start();
    nap(busy);
    changing.join();
    System.out.println("done");
  }
}
