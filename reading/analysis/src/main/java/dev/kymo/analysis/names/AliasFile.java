package dev.kymo.analysis.names;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file in which users name what they see, one thing a line:
 *
 * <pre>
 *   # a comment
 *   0x7f3a10 = order queue
 *   thread pool-1-thread-3 = billing
 *   disk.ALLOC:4096 = one page
 * </pre>
 *
 * <p>The first {@code =} of a line ends what is named.
 */
public final class AliasFile {
  private static final Pattern THREAD = Pattern.compile("thread\\s+(.+)");
  private static final Pattern VALUE = Pattern.compile("([^:\\s]+):(\\S+)");
  private static final Pattern HEX = Pattern.compile("0[xX]([0-9a-fA-F]{1,16})");
  private static final Pattern DECIMAL = Pattern.compile("-?\\d{1,20}");
  private static final String FORMS =
      "0xHEX = name, thread NAME = name, or subsystem.EVENT:VALUE = name";

  private final Path file;
  private final Aliases aliases = new Aliases();
  private final Map<String, Integer> lines = new HashMap<>();
  private int line;

  private AliasFile(Path file) {
    this.file = file;
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException if something in it cannot be understood; its message says
   *     what, and where
   * @throws IOException if it cannot be read
   */
  public static Aliases read(Path file) throws IOException {
    AliasFile reading = new AliasFile(file);
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (MalformedInputException e) {
      throw new IllegalArgumentException(file + ": not a text in UTF-8", e);
    }
    for (String each : lines) {
      reading.line++;
      String text = each.strip();
      if (!text.isEmpty() && !text.startsWith("#")) {
        reading.take(text);
      }
    }
    return reading.aliases;
  }

  private void take(String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw wrong("no =, a line is " + FORMS + ": line=\"" + text + '"');
    }
    String named = text.substring(0, equals).strip();
    String name = text.substring(equals + 1).strip();
    if (name.isEmpty()) {
      throw wrong("nothing after the =: named=\"" + named + '"');
    }
    Integer before = lines.putIfAbsent(name(named, name), line);
    if (before != null) {
      throw wrong("named before: named=\"%s\" line_before=%d".formatted(named, before));
    }
  }

  /** Takes one name; returns what it is for in a form that is always the same. */
  private String name(String named, String name) {
    Matcher thread = THREAD.matcher(named);
    if (thread.matches()) {
      aliases.thread(thread.group(1), name);
      return "thread " + thread.group(1);
    }
    if (HEX.matcher(named).matches()) {
      long object = number(named);
      aliases.object(object, name);
      return Long.toHexString(object);
    }
    Matcher value = VALUE.matcher(named);
    if (!value.matches()) {
      throw wrong("cannot be named, a line is " + FORMS + ": named=\"" + named + '"');
    }
    long number = number(value.group(2));
    aliases.value(value.group(1), number, name);
    return value.group(1) + ':' + number;
  }

  /** A number of 64 bits, signed or not. */
  private long number(String text) {
    Matcher hex = HEX.matcher(text);
    try {
      if (hex.matches()) {
        return Long.parseUnsignedLong(hex.group(1), 16);
      }
      if (DECIMAL.matcher(text).matches()) {
        return text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text);
      }
    } catch (NumberFormatException e) {
      // too large: reported like any other text that is not a number
    }
    throw wrong("not a number of 64 bits, decimal or 0x and hexadecimal: value=\"" + text + '"');
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(file + ":" + line + ": " + what);
  }
}
