package dev.kymo.drain.options;

import dev.kymo.drain.Flushing;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of options about recording, as users write them; the same for {@code kymo record} and
 * for the agent that records by itself. Others are an {@link IllegalArgumentException} with a
 * message for the user.
 */
public final class OptionWords {
  private static final Pattern SHARE = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,4})?)%");
  private static final Pattern BYTES = Pattern.compile("(\\d{1,12})([kKmMgG]?)");
  private static final Pattern TIME = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h|d)?");
  private static final Pattern TIME_WITH_UNIT = Pattern.compile("[\\d.]+(ms|s|m|h|d)");
  private static final Pattern BYTES_WITH_UNIT = Pattern.compile("\\d+[KMG]");

  private static final int MILLIONTHS_PER_PERCENT = 10_000;
  private static final double SMALLEST_PERCENT = 0.1;
  private static final double LARGEST_PERCENT = 100;
  private static final long SMALLEST_BUFFER = 128 << 10;
  private static final long LARGEST_BUFFER = 1 << 30;
  private static final long SMALLEST_ON_DISK = 1 << 20;
  private static final long SHORTEST_FLUSH = 10_000_000;
  private static final long SMALLEST_FLUSH = 64 << 10;
  private static final String NONE = "none";

  private OptionWords() {}

  /** Part of a thread's time: a number and {@code %}, or {@code none}; millionths, 0 = any. */
  public static int budget(String text) {
    if (text.equals(NONE)) {
      return 0;
    }
    Matcher matcher = SHARE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a budget, write for example 3% or none");
    }
    double percent = Double.parseDouble(matcher.group(1));
    if (percent < SMALLEST_PERCENT || percent > LARGEST_PERCENT) {
      throw new IllegalArgumentException("'" + text + "' is not between 0.1% and 100%");
    }
    return (int) Math.round(percent * MILLIONTHS_PER_PERCENT);
  }

  /** Bytes: a number and {@code K}, {@code M} or {@code G}. */
  public static long bytes(String text) {
    Matcher matcher = BYTES.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a size, write for example 2M");
    }
    int shift =
        switch (matcher.group(2)) {
          case "k", "K" -> 10;
          case "m", "M" -> 20;
          case "g", "G" -> 30;
          default -> 0;
        };
    return Long.parseLong(matcher.group(1)) << shift;
  }

  /** Bytes of a thread's buffer, likewise. */
  public static int bufferBytes(String text) {
    long bytes = bytes(text);
    if (bytes < SMALLEST_BUFFER || bytes > LARGEST_BUFFER) {
      throw new IllegalArgumentException("'" + text + "' is not between 128K and 1G");
    }
    return (int) bytes;
  }

  /** Bytes on a disk, likewise, at least a megabyte; or {@code none}: 0. */
  public static long diskBytes(String text) {
    long bytes = text.equals(NONE) ? 0 : bytes(text);
    if (bytes != 0 && bytes < SMALLEST_ON_DISK) {
      throw new IllegalArgumentException("'" + text + "' is not at least 1M");
    }
    return bytes;
  }

  /**
   * A length of time: a number and {@code ms}, {@code s}, {@code m}, {@code h} or {@code d};
   * seconds if bare.
   */
  public static Duration duration(String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a length of time, write for example 10s");
    }
    double number = Double.parseDouble(matcher.group(1));
    double millis =
        switch (matcher.group(2) == null ? "s" : matcher.group(2)) {
          case "ms" -> number;
          case "m" -> number * 60_000;
          case "h" -> number * 3_600_000;
          case "d" -> number * 24 * 3_600_000;
          default -> number * 1_000;
        };
    return Duration.ofMillis(Math.round(millis));
  }

  /** {@code auto}, a length of time with its unit, or a number of bytes with its unit. */
  public static Flushing flushing(String text) {
    if (text.equals("auto")) {
      return Flushing.AUTO;
    }
    if (TIME_WITH_UNIT.matcher(text).matches()) {
      return Flushing.every(atLeast(duration(text).toNanos(), SHORTEST_FLUSH, text, "10ms"));
    }
    if (BYTES_WITH_UNIT.matcher(text).matches()) {
      return Flushing.at(atLeast(bytes(text), SMALLEST_FLUSH, text, "64K"));
    }
    throw new IllegalArgumentException(
        "'" + text + "' is neither auto, nor a length of time such as 5s, nor a size such as 4M");
  }

  public static String megabytes(long bytes) {
    return bytes < 1_000_000
        ? bytes / 1000 + " kB"
        : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }

  private static long atLeast(long value, long least, String text, String words) {
    if (value < least) {
      throw new IllegalArgumentException("'" + text + "' is not at least " + words);
    }
    return value;
  }
}
