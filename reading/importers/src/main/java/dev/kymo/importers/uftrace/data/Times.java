package dev.kymo.importers.uftrace.data;

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
    String fraction = (point < 0 ? "" : text.substring(point + 1)) + "000000000";
    long seconds = Long.parseLong(point < 0 ? text : text.substring(0, point));
    if (seconds < 0 || seconds > Integer.MAX_VALUE) {
      throw new NumberFormatException("no time: text=" + text);
    }
    return seconds * 1_000_000_000L + Long.parseLong(fraction.substring(0, 9));
  }
}
