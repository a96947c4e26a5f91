package dev.kymo.tables;

/** Pictures of numbers made of characters. */
public final class Sparklines {
  private static final String BARS = " ▁▂▃▄▅▆▇█";
  private static final String SHADES = " ░▒▓█";

  private Sparklines() {}

  /** A bar for each number, the largest is full; what is not 0 can be seen. */
  public static String bars(long[] numbers) {
    long most = 1;
    for (long number : numbers) {
      most = Math.max(most, number);
    }
    return bars(numbers, most);
  }

  /** A bar for each number; {@code most} is full. */
  public static String bars(long[] numbers, long most) {
    StringBuilder bars = new StringBuilder();
    for (long number : numbers) {
      bars.append(BARS.charAt(step((double) number / most, BARS.length())));
    }
    return bars.toString();
  }

  /** A shade for a number, by its logarithm. */
  public static char shade(long number, long most) {
    return SHADES.charAt(
        step(
            Math.log1p((double) number) / Math.log1p((double) Math.max(1, most)), SHADES.length()));
  }

  private static int step(double share, int steps) {
    return (int) Math.ceil(share * (steps - 1));
  }
}
