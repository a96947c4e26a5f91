/** Answers requests on three threads; its argument says how often each request writes. */
public class Changing {
  static volatile long sink;

  static void write(int number) {
    long value = number;
    for (int i = 0; i < 200; i++) {
      value = value * 31 + i;
    }
    sink = value;
  }

  static void store(int writes) {
    for (int i = 0; i < writes; i++) {
      write(i);
    }
  }

  static void parse(int number) {
    write(number);
  }

  static void request(int number, int writes) {
    parse(number);
    store(writes);
  }

  public static void main(String[] arguments) throws InterruptedException {
    int writes = Integer.parseInt(arguments[0]);
    Thread[] workers = new Thread[3];
    for (int t = 0; t < workers.length; t++) {
      workers[t] =
          new Thread(
              () -> {
                for (int i = 0; i < 200; i++) {
                  request(i, writes);
                }
              },
              arguments[1] + "-" + t);
      workers[t].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
  }
}
