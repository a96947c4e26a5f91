import java.nio.file.Files;
import java.nio.file.Path;

/** Calls one method again and again, some thousand times a second, until a file exists. */
public class Steady {
  static int step(int n) {
    int sum = n;
    for (int i = 0; i < n % 7; i++) {
      sum += i * n;
    }
    return sum;
  }

  public static void main(String[] arguments) throws Exception {
    Path end = Path.of(arguments[0]);
    boolean rest = arguments.length == 1;
    System.out.println("ready");
    long calls = 0;
    int sum = 0;
    while (!Files.exists(end)) {
      for (int i = 0; i < 5; i++) {
        sum += step(i);
        calls++;
      }
      if (rest) {
        Thread.sleep(1);
      }
    }
    System.out.println(calls + (sum == 1 ? " " : ""));
  }
}
