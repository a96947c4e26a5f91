package dev.kymo.foreign.uftrace.data;

/** Times as text: seconds, a point, nanoseconds. */
final class Times {
  private Times() {}

  /**
   * Nanoseconds of {@code 12.000000345}.
   *
   * @throws NumberFormatException if it is no time
   */
  static long nanos(String text) {
    int point = text.indexOf('.');
    if (point < 0) {
      return Math.multiplyExact(Long.parseLong(text), 1_000_000_000L);
    }
    String fraction = (text.substring(point + 1) + "000000000").substring(0, 9);
    long seconds = Long.parseLong(text.substring(0, point));
    if (seconds < 0 || seconds > Integer.MAX_VALUE) {
      throw new NumberFormatException("no time: text=" + text);
    }
    return seconds * 1_000_000_000L + Long.parseLong(fraction);
  }
}
