import java.lang.instrument.Instrumentation;

/** An agent and a program: as an agent it is not part of the program beside which it runs. */
public class Beside {
  public static void premain(String arguments, Instrumentation instrumentation) {
    System.out.println("agent " + square(6));
  }

  public static void main(String[] arguments) {
    System.out.println("program " + square(7));
  }

  static int square(int n) {
    return Math.multiplyExact(n, n);
  }
}
