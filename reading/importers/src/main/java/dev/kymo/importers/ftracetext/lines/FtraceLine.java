package dev.kymo.importers.ftracetext.lines;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An event of ftrace's text: {@code comm-tid (tgid) [cpu] flags seconds.fraction: event: rest}.
 *
 * @param tgid number of the process, 0 = not said
 * @param flags as in the kernel's events: 8 = in an interrupt, 16 = in a soft interrupt
 * @param event name; empty if the line has only a text
 */
public record FtraceLine(
    String comm, int tid, int tgid, int cpu, int flags, long nanos, String event, String rest) {
  /** More processors than any kernel has. */
  private static final int MOST_CPUS = 4096;

  private static final int MOST_DIGITS = 9;

  /** Takes a line apart; null if it is not an event. */
  public static @Nullable FtraceLine parse(String line) {
    for (int open = line.indexOf('['); open > 0; open = line.indexOf('[', open + 1)) {
      int close = line.indexOf(']', open);
      if (close < 0) {
        return null;
      }
      int cpu = number(line, open + 1, close);
      if (cpu >= 0 && cpu < MOST_CPUS) {
        FtraceLine parsed = parse(line, open, close + 1, cpu);
        if (parsed != null) {
          return parsed;
        }
      }
    }
    return null;
  }

  private static @Nullable FtraceLine parse(String line, int head, int tail, int cpu) {
    String who = line.substring(0, head).strip();
    int tgid = 0;
    if (who.endsWith(")")) {
      int open = who.lastIndexOf('(');
      if (open < 0) {
        return null;
      }
      tgid = Math.max(0, number(who.substring(open + 1, who.length() - 1).strip()));
      who = who.substring(0, open).strip();
    }
    int dash = who.lastIndexOf('-');
    int tid = dash < 0 ? -1 : number(who, dash + 1, who.length());
    if (tid < 0) {
      return null;
    }
    int at = skipBlanks(line, tail);
    int flags = 0;
    int colon = line.indexOf(": ", at);
    int blank = line.indexOf(' ', at);
    if (blank >= 0 && colon > blank) {
      String word = line.substring(at, blank);
      if (!isTime(word)) {
        flags = flags(word);
        at = skipBlanks(line, blank);
        colon = line.indexOf(':', at);
      }
    }
    if (colon < 0) {
      colon = line.endsWith(":") ? line.length() - 1 : -1;
    }
    if (colon < 0 || !isTime(line.substring(at, colon))) {
      return null;
    }
    long nanos = nanos(line.substring(at, colon));
    String text = line.substring(Math.min(line.length(), colon + 1)).strip();
    return named(who.substring(0, dash), tid, tgid, cpu, flags, nanos, text);
  }

  private static FtraceLine named(
      String comm, int tid, int tgid, int cpu, int flags, long nanos, String text) {
    int end = 0;
    while (end < text.length() && isWord(text.charAt(end))) {
      end++;
    }
    boolean event = end > 0 && end < text.length() && text.charAt(end) == ':';
    return new FtraceLine(
        comm,
        tid,
        tgid,
        cpu,
        flags,
        nanos,
        event ? text.substring(0, end) : "",
        event ? text.substring(end + 1).strip() : text);
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '.' || c == '-' || c == '@';
  }

  private static int skipBlanks(String line, int from) {
    int at = from;
    while (at < line.length() && line.charAt(at) == ' ') {
      at++;
    }
    return at;
  }

  private static boolean isTime(String word) {
    boolean dot = false;
    boolean digit = false;
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if (c == '.' && !dot) {
        dot = true;
      } else if (c >= '0' && c <= '9') {
        digit = true;
      } else {
        return false;
      }
    }
    return dot && digit && word.indexOf('.') <= 10;
  }

  private static long nanos(String time) {
    int dot = time.indexOf('.');
    long nanos = 0;
    for (int i = 0; i < dot; i++) {
      nanos = nanos * 10 + time.charAt(i) - '0';
    }
    for (int i = dot + 1; i <= dot + MOST_DIGITS; i++) {
      nanos = nanos * 10 + (i < time.length() ? time.charAt(i) - '0' : 0);
    }
    return nanos;
  }

  /** The columns of flags: {@code d.h5}: in the third who is interrupted. */
  private static int flags(String columns) {
    return columns.length() < 3
        ? 0
        : switch (columns.charAt(2)) {
          case 'h' -> 0x08;
          case 's' -> 0x10;
          case 'H' -> 0x18;
          case 'z' -> 0x40;
          case 'Z' -> 0x48;
          default -> 0;
        };
  }

  private static int number(String text) {
    return number(text, 0, text.length());
  }

  /** A number of at most nine digits; -1 if it is none. */
  static int number(String text, int from, int to) {
    if (to <= from || to - from > MOST_DIGITS) {
      return -1;
    }
    int number = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      number = number * 10 + c - '0';
    }
    return number;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s-%d [%03d] %d.%06d: %s: %s",
        comm,
        tid,
        cpu,
        nanos / 1_000_000_000,
        nanos % 1_000_000_000 / 1000,
        event,
        rest);
  }
}
