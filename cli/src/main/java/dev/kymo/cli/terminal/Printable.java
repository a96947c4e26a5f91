package dev.kymo.cli.terminal;

/**
 * Text that does not control the terminal and does not fake lines or an order of characters that
 * are not there: names come from recorded programs and may contain anything. Control characters,
 * those that turn the direction of writing, and separators of lines and paragraphs are written as
 * in source, {@code \n}, {@code \u001b}. {@link Terminal} sends everything through here.
 */
public final class Printable {
  private Printable() {}

  /** Whether a character is only written as in source. */
  static boolean isHarmful(char c) {
    if (c < 0xa0) {
      return c < ' ' || c >= 0x7f;
    }
    return c == 0x061c // turn the direction
        || (c >= 0x200e && c <= 0x200f)
        || (c >= 0x202a && c <= 0x202e)
        || (c >= 0x2066 && c <= 0x2069)
        || c == 0x2028 // end a line, a paragraph
        || c == 0x2029;
  }

  private static boolean isHarmful(String text) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if ((c < ' ' || c >= 0x7f) && isHarmful(c)) { // most are neither
        return true;
      }
    }
    return false;
  }

  /** Text that stays on its line. */
  public static String of(String text) {
    if (!isHarmful(text)) {
      return text;
    }
    StringBuilder to = new StringBuilder();
    escape(to, text, '\0');
    return to.toString();
  }

  /** Appends text that stays on its line. */
  public static void append(StringBuilder to, String text) {
    if (isHarmful(text)) {
      escape(to, text, '\0');
    } else {
      to.append(text);
    }
  }

  /**
   * Text of lines and columns, which are ours: their ends and tabs stay. In JSON harmful characters
   * stand only within strings, where {@code \u202e} means the same.
   */
  public static CharSequence lines(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      if (isHarmfulInLines(text.charAt(i))) {
        return escapedLines(text);
      }
    }
    return text;
  }

  private static boolean isHarmfulInLines(char c) {
    return c != '\n' && c != '\t' && isHarmful(c);
  }

  private static CharSequence escapedLines(CharSequence text) {
    StringBuilder to = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isHarmfulInLines(c)) {
        number(to, c);
      } else {
        to.append(c);
      }
    }
    return to;
  }

  /**
   * Appends text that stays on its line, with another character escaped, too.
   *
   * @param also 0 = none
   */
  public static void escape(StringBuilder to, String text, char also) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n' -> to.append("\\n");
        case '\r' -> to.append("\\r");
        case '\t' -> to.append("\\t");
        default -> {
          if (isHarmful(c)) {
            number(to, c);
          } else {
            to.append(c == also ? "\\" : "").append(c);
          }
        }
      }
    }
  }

  private static void number(StringBuilder to, char c) {
    to.append("\\u%04x".formatted((int) c));
  }
}
