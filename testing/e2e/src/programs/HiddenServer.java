import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Defines hidden classes and calls them on command; for attaching. */
public class HiddenServer {
  static final int TIMES = 10;
  static final long HOT_NANOS = 1_000_000_000;

  static class Work implements IntUnaryOperator {
    @Override
    public int applyAsInt(int n) {
      return Integer.parseInt("1") + n;
    }
  }

  static String beat() {
    return String.valueOf(1);
  }

  static int call(IntUnaryOperator work) {
    int sum = 0;
    for (int i = 0; i < TIMES; i++) {
      sum = work.applyAsInt(sum);
    }
    return sum;
  }

  static void heat(IntUnaryOperator work) {
    for (int i = 0; i < 100_000; i++) {
      work.applyAsInt(i);
    }
  }

  static IntUnaryOperator define() throws Exception {
    byte[] bytes =
        HiddenServer.class.getResourceAsStream("/HiddenServer$Work.class").readAllBytes();
    return (IntUnaryOperator)
        MethodHandles.lookup()
            .defineHiddenClass(bytes, true)
            .lookupClass()
            .getDeclaredConstructor()
            .newInstance();
  }

  public static void main(String[] arguments) throws Exception {
    List<IntUnaryOperator> kept = new ArrayList<>();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      int sum = 0;
      if (line.equals("define")) {
        kept.add(define());
      } else if (line.equals("call")) {
        for (IntUnaryOperator work : kept) {
          sum += call(work);
        }
      } else if (line.equals("heat")) {
        for (long begin = System.nanoTime(); System.nanoTime() - begin < HOT_NANOS; ) {
          heat(kept.get(0));
        }
      } else {
        beat();
      }
      System.out.println(line + " " + sum);
    }
  }
}
