package dev.kymo.reader;

import dev.kymo.format.Clock;
import dev.kymo.format.FormatVersion;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of a recording's {@code metadata} that a reader needs. The layouts described there are
 * not parsed: the format's version fixes them.
 *
 * @param uuid that every packet must carry
 */
public record Metadata(UUID uuid, Clock clock, int major, int minor) {
  public static final String FILE = "metadata";

  /** Larger files are not ours. */
  static final int MAX_SIZE = 1 << 20;

  private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern CLOCK = Pattern.compile("\\bclock\\s*\\{([^}]*)}");
  private static final Pattern UUID_FORM =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
  private static final long MIN_FREQUENCY = 1_000;
  private static final long MAX_FREQUENCY = 1_000_000_000_000L;

  /**
   * Reads the text.
   *
   * @throws RecordingException if something needed is missing, or the version is unknown
   */
  public static Metadata parse(byte[] bytes) throws RecordingException {
    String text = COMMENT.matcher(new String(bytes, StandardCharsets.UTF_8)).replaceAll(" ");
    int major = (int) number(text, "kymo_format_major", 0, 999_999);
    int minor = (int) number(text, "kymo_format_minor", 0, 999_999);
    if (major != FormatVersion.MAJOR) {
      throw new RecordingException(
          "recording has an unknown format: format=%d.%d, this Kymo reads format=%d.x; use the"
                  .formatted(major, minor, FormatVersion.MAJOR)
              + " version of Kymo that recorded it, or a newer one");
    }
    String order = string(text, "byte_order", "\\w+");
    if (!order.equals("le")) {
      throw unreadable("byte_order=" + order + " expected=le");
    }
    String uuid = string(text, "uuid", "\"([^\"]*)\"");
    if (!UUID_FORM.matcher(uuid).matches()) {
      throw unreadable("uuid=" + uuid);
    }
    return new Metadata(UUID.fromString(uuid), clock(text), major, minor);
  }

  private static Clock clock(String text) throws RecordingException {
    Matcher matcher = CLOCK.matcher(text);
    if (!matcher.find()) {
      throw unreadable("missing=clock");
    }
    String block = matcher.group(1);
    String name = string(block, "name", "\"([^\"]*)\"");
    long frequency = number(block, "freq", MIN_FREQUENCY, MAX_FREQUENCY);
    long seconds = number(block, "offset_s", -9_000_000_000L, 9_000_000_000L);
    long ticks = number(block, "offset", 0, MAX_FREQUENCY);
    long nanos = new Clock(name, frequency, 0).nanos(ticks);
    return new Clock(name, frequency, seconds * 1_000_000_000L + nanos);
  }

  private static long number(String text, String name, long min, long max)
      throws RecordingException {
    String digits = string(text, name, "-?\\d{1,18}");
    long number = Long.parseLong(digits);
    if (number < min || number > max) {
      throw unreadable("%s=%d min=%d max=%d".formatted(name, number, min, max));
    }
    return number;
  }

  private static String string(String text, String name, String form) throws RecordingException {
    Matcher matcher = Pattern.compile("\\b" + name + "\\s*=\\s*(" + form + ")\\s*;").matcher(text);
    if (!matcher.find()) {
      throw unreadable("missing=" + name);
    }
    @Nullable String inner = matcher.groupCount() > 1 ? matcher.group(2) : matcher.group(1);
    return inner == null ? "" : inner;
  }

  private static RecordingException unreadable(String facts) {
    return new RecordingException(
        "recording's metadata cannot be read: file=" + FILE + " " + facts);
  }
}
