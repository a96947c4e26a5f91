import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Works in threads, calls {@code halfway}, waits for a file, and works again. Its arguments: the
 * file, and what it says on standard output when it waits, if anything.
 */
public class Stepwise {
  static int sum;

  static int even(int n) {
    return n == 0 ? 0 : odd(n - 1) + String.valueOf(n).length();
  }

  static int odd(int n) {
    return n == 0 ? 0 : even(n - 1) + String.valueOf(n).hashCode();
  }

  static void work(String name) throws InterruptedException {
    Thread[] threads = new Thread[3];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(
              () -> {
                for (int round = 0; round < 300; round++) {
                  even(round % 9);
                }
              },
              name + "-" + i);
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  static void halfway() {
    sum += String.valueOf(sum).hashCode();
  }

  static void done() {
    sum += String.valueOf(sum).length();
  }

  public static void main(String[] arguments) throws Exception {
    Path go = Path.of(arguments[0]);
    work("first");
    halfway();
    if (arguments.length > 1) {
      System.out.println(arguments[1]);
    }
    while (!Files.exists(go)) {
      Thread.sleep(5);
    }
    work("second");
    done();
  }
}
