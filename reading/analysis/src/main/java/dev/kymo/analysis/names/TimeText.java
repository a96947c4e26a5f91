package dev.kymo.analysis.names;

/** Times and calls as people read them. */
public final class TimeText {
  private TimeText() {}

  /** Nanoseconds with four digits that count. */
  public static String text(long nanos) {
    if (nanos < 1_000) {
      return nanos + " ns";
    }
    if (nanos < 1_000_000) {
      return scaled(nanos, 1e3) + " us";
    }
    if (nanos < 1_000_000_000) {
      return scaled(nanos, 1e6) + " ms";
    }
    return scaled(nanos, 1e9) + " s";
  }

  private static String scaled(long nanos, double unit) {
    double value = nanos / unit;
    return value < 10
        ? "%.3f".formatted(value)
        : value < 100 ? "%.2f".formatted(value) : "%.1f".formatted(value);
  }

  /** A point in time: seconds with all digits. */
  public static String seconds(long nanos) {
    return "%d.%09d".formatted(nanos / 1_000_000_000L, nanos % 1_000_000_000L);
  }

  /** A call by its place: {@code 1/12:3@0.350000000}; {@code begin} is nanoseconds. */
  public static String call(int process, int thread, int depth, long begin) {
    return "%d/%d:%d@%s".formatted(process, thread, depth, seconds(begin));
  }
}
