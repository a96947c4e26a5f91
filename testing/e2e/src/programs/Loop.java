/**
 * Makes one long call that calls a small method of its own class all the time; prints how often.
 */
public final class Loop {
  private static long state;

  static long next(long before) {
    long next = before;
    for (int shift = 7; shift < 14; shift += 6) {
      next ^= next << shift;
    }
    return next;
  }

  public static void main(String[] arguments) {
    long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000L;
    long calls = 0;
    while (calls % 1000 != 0 || System.nanoTime() < end) {
      state = next(state + calls++);
    }
    System.out.println("Loop.next " + calls);
  }
}
