package dev.kymo.importers.barrelfish;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses the lines of trace logs of all writers that have existed. It never fails: what it does not
 * understand is {@link LogLine.Other}.
 */
final class LineParser {
  /** Largest number of a core; the system has eight bits for the number. */
  static final int MAX_CORE = 255;

  /** Maximum digits of a time, far enough from 64 bits that sums of a few times cannot overflow. */
  private static final int TIME_DIGITS = 18;

  private static final int CORE_DIGITS = 3;
  private static final int WORD_DIGITS = 16;

  private static final LogLine BLANK = new LogLine.Blank();
  private static final LogLine OTHER = new LogLine.Other();

  private static final Pattern START =
      Pattern.compile("# Start (\\d{1,18}) Duration \\d{1,20} Stop \\d{1,20}");
  private static final Pattern MIN_TIMESTAMP = Pattern.compile("# Min_timestamp (\\d{1,18})");
  private static final Pattern CORE = Pattern.compile("# Core (\\d{1,3}) LOG DUMP =*");
  private static final Pattern OFFSET = Pattern.compile("# Offset (\\d{1,3}) (-?\\d{1,18})");
  private static final Pattern DCB =
      Pattern.compile("# DCB (\\d{1,3}) ([0-9a-fA-F]{1,16}) (.{1,64})");
  private static final Pattern BRACKET = Pattern.compile("dump trac buffers: (Start|Stop)");

  /**
   * What bfscope sends before a dump, as it stands in logs that were written as they were received.
   */
  private static final Pattern LENGTH_BEFORE_TEXT =
      Pattern.compile("(?s)(?: *\\d{1,8} {0,5}(?=#)|(?=.{8})\\d{1,7}\\x00.{0,6}?(?=# ))");

  /** The same, if a line break is among its bytes. */
  private static final Pattern LENGTH_ALONE = Pattern.compile("(?s)\\d{1,7}\\x00.{0,6}");

  private LineParser() {}

  /** Parses a line without its line feed. */
  static LogLine parse(String line) {
    String text = line.stripTrailing();
    if (text.isEmpty() || BRACKET.matcher(text).matches()) {
      return BLANK;
    }
    if (text.charAt(0) != '#') {
      LogLine.Event event = event(text);
      return event != null ? event : withoutLength(text);
    }
    return meta(text);
  }

  private static LogLine withoutLength(String text) {
    Matcher length = LENGTH_BEFORE_TEXT.matcher(text);
    if (length.lookingAt()) {
      return meta(text.substring(length.end()));
    }
    return LENGTH_ALONE.matcher(text).matches() ? BLANK : OTHER;
  }

  private static LogLine meta(String text) {
    Matcher m = START.matcher(text);
    if (m.matches()) {
      return new LogLine.Start(Long.parseLong(m.group(1)));
    }
    m = MIN_TIMESTAMP.matcher(text);
    if (m.matches()) {
      return new LogLine.MinTimestamp(Long.parseLong(m.group(1)));
    }
    return metaOfCore(text);
  }

  private static LogLine metaOfCore(String text) {
    Matcher m = CORE.matcher(text);
    if (m.matches()) {
      return core(m.group(1)).<LogLine>map(LogLine.Core::new).orElse(OTHER);
    }
    m = OFFSET.matcher(text);
    if (m.matches()) {
      long cycles = Long.parseLong(m.group(2));
      return core(m.group(1)).<LogLine>map(c -> new LogLine.Offset(c, cycles)).orElse(OTHER);
    }
    m = DCB.matcher(text);
    if (m.matches()) {
      long dcb = dcb(Long.parseUnsignedLong(m.group(2), 16));
      String name = printable(m.group(3));
      return core(m.group(1))
          .<LogLine>map(c -> new LogLine.Application(c, dcb, name))
          .orElse(OTHER);
    }
    return OTHER;
  }

  /**
   * {@code <core> <time> <word>}, perhaps with a fourth column. Parsed by hand, because most lines
   * have this form.
   */
  private static LogLine.@Nullable Event event(String text) {
    int coreEnd = text.indexOf(' ');
    int timeEnd = text.indexOf(' ', coreEnd + 1);
    if (coreEnd <= 0 || coreEnd > CORE_DIGITS || timeEnd < 0) {
      return null;
    }
    int fourth = text.indexOf(' ', timeEnd + 1);
    int wordEnd = fourth < 0 ? text.length() : fourth;
    long core = number(text, 0, coreEnd, 10, CORE_DIGITS);
    long time = number(text, coreEnd + 1, timeEnd, 10, TIME_DIGITS);
    boolean isWord = isNumber(text, timeEnd + 1, wordEnd, 16, WORD_DIGITS);
    if (core < 0 || core > MAX_CORE || time < 0 || !isWord) {
      return null;
    }
    long word = Long.parseUnsignedLong(text, timeEnd + 1, wordEnd, 16);
    return new LogLine.Event((int) core, time, word);
  }

  /** A number that is not negative; -1 if the text is not such a number. */
  private static long number(String text, int from, int to, int radix, int digits) {
    return isNumber(text, from, to, radix, digits) ? Long.parseLong(text, from, to, radix) : -1;
  }

  private static boolean isNumber(String text, int from, int to, int radix, int digits) {
    boolean is = to > from && to - from <= digits;
    for (int i = from; i < to && is; i++) {
      is = text.charAt(i) < 128 && Character.digit(text.charAt(i), radix) >= 0;
    }
    return is;
  }

  private static Optional<Integer> core(String digits) {
    int core = Integer.parseInt(digits);
    return core <= MAX_CORE ? Optional.of(core) : Optional.empty();
  }

  /** The writer of 2011 marked a core's first application with the top bit. */
  private static long dcb(long written) {
    return written >>> 32 == 0x80000000L ? written ^ Long.MIN_VALUE : written;
  }

  private static String printable(String name) {
    StringBuilder text = new StringBuilder();
    name.strip().chars().forEach(c -> text.append(Character.isISOControl(c) ? '?' : (char) c));
    return text.toString();
  }
}
