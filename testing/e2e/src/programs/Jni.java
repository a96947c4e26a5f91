/** Three threads call a function of the given library: {@code Jni LIBRARY CALLS}. */
public class Jni {
  static int total;

  static native int work(int n);

  static synchronized void step(int n) {
    total += work(n);
  }

  public static void main(String[] arguments) throws InterruptedException {
    System.load(arguments[0]);
    int calls = Integer.parseInt(arguments[1]);
    Thread[] threads = new Thread[3];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(() -> {
            for (int k = 0; k < calls; k++) {
              step(k);
            }
          });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(total);
  }
}
