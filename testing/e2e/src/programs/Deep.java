/** Calls itself as often as it is told to, or until the stack ends. */
public class Deep {
  static int depth;

  static int sum(int n) {
    if (n == 0) {
      return 0;
    }
    depth++;
    int sum = 0;
    for (int i = 0; i < 1; i++) {
      sum += sum(n - 1) + n;
    }
    return sum;
  }

  public static void main(String[] arguments) {
    try {
      System.out.println(sum(Integer.parseInt(arguments[0])));
    } catch (StackOverflowError e) {
      System.out.println("overflow");
    }
  }
}
