import java.io.BufferedReader;
import java.io.InputStreamReader;

/** Makes as many calls as it is told to, a line each time: {@code warm N} or {@code call N}. */
public class Rounds {
  static long sink;

  static long warm(long n) {
    long sum = n;
    for (int i = 0; i < 3; i++) {
      sum += i;
    }
    return sink += sum;
  }

  /** A thousand calls of {@link #small}. */
  static long outer(long n) {
    long sum = 0;
    for (int i = 0; i < 1000; i++) {
      sum += small(n + i);
    }
    return sum;
  }

  static long small(long n) {
    long sum = n;
    for (int i = 0; i < 3; i++) {
      sum ^= i;
    }
    return sink += sum;
  }

  public static void main(String[] arguments) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      for (long i = Long.parseLong(words[1]); i > 0; i--) {
        sink += words[0].equals("warm") ? warm(i) : outer(i);
      }
      System.out.println(line);
    }
  }
}
