import java.nio.file.Files;
import java.nio.file.Path;

/** Calls a method again and again; in one thread more when a file is there, until another one is. */
public class OneMore {
  static int step(int number) {
    return number + 1;
  }

  static void work(Path until) {
    int number = 0;
    while (!Files.exists(until)) {
      number = step(number);
      Thread.onSpinWait();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path end = Path.of(arguments[1]);
    Thread more = new Thread(() -> work(end), "more");
    System.out.println("ready");
    work(Path.of(arguments[0]));
    more.start();
    work(end);
    more.join();
    System.out.println("fine");
  }
}
