import java.io.BufferedReader;
import java.io.InputStreamReader;

/** Copies input to output, and prints a word at the end. */
public class Echo {
  static String turn(String line) {
    return new StringBuilder(line).reverse().toString();
  }

  public static void main(String[] arguments) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("farewell")));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(turn(line));
      System.err.println("error " + line);
      System.out.flush();
    }
  }
}
