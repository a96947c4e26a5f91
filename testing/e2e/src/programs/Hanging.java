import java.nio.file.Files;
import java.nio.file.Path;

/** Calls much; then it hangs, or has waited for a monitor, until a file is there. */
public class Hanging {
  private static volatile long sum;
  private static final Object LOCK = new Object();

  static void work(Path end, boolean hangs) throws Exception {
    for (int i = 0; i < 1000; i++) {
      sum += i;
    }
    while (hangs && !Files.exists(end)) {
      Thread.sleep(5);
    }
  }

  private static void enter() {
    synchronized (LOCK) {
      sum++;
    }
  }

  /** What it is to do: quick, hang or monitor; and the file. */
  public static void main(String[] arguments) throws Exception {
    Path end = Path.of(arguments[1]);
    for (int i = 0; i < 5000; i++) {
      work(end, false);
    }
    if (arguments[0].equals("hang")) {
      work(end, true);
    } else if (arguments[0].equals("monitor")) {
      Thread waiting = new Thread(Hanging::enter, "waiting");
      synchronized (LOCK) {
        waiting.start();
        while (waiting.getState() != Thread.State.BLOCKED) {
          Thread.sleep(5);
        }
        Thread.sleep(500);
      }
      work(end, true);
    }
    System.out.println("fine");
  }
}
