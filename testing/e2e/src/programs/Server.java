import java.nio.file.Files;
import java.nio.file.Path;

/** Works until a file appears; for attaching. */
public class Server {
  static volatile long served;

  static long serve(long n) {
    long sum = 0;
    for (int i = 0; i < 100; i++) {
      sum += step(n, i);
    }
    served++;
    return sum;
  }

  static long step(long n, int i) {
    return Long.parseLong("1") * n + i;
  }

  /** Long enough to be on the stack when one recording ends and the next begins. */
  static long shift(Path end) throws Exception {
    long sum = 0;
    long until = System.nanoTime() + 700_000_000L;
    while (System.nanoTime() < until && !Files.exists(end)) {
      sum += serve(served);
      Thread.sleep(1);
    }
    return sum;
  }

  public static void main(String[] arguments) throws Exception {
    Path end = Path.of(arguments[0]);
    long sum = 0;
    System.out.println("ready");
    System.out.flush();
    while (!Files.exists(end)) {
      sum += shift(end);
    }
    System.out.println(sum > 0 ? "fine" : "wrong");
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("kymo")) {
        thread.join(10_000); // has reported its end, and has only to return
      }
      if (thread.getName().startsWith("kymo") && thread.isAlive()) {
        System.out.println("left behind: " + thread.getName());
      }
    }
  }
}
