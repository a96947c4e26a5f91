package dev.kymo.cli;

/**
 * Text that stays on its line and does nothing to a terminal: it comes from recorded programs, and
 * may hold anything.
 */
final class Printable {
  private Printable() {}

  /** Appends text; control characters as in source: {@code \n}, {@code \u001b}. */
  static void append(StringBuilder to, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        escape(to, text, '\0');
        return;
      }
    }
    to.append(text);
  }

  /**
   * The same, with another character escaped, too.
   *
   * @param also 0 = none
   */
  static void escape(StringBuilder to, String text, char also) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n' -> to.append("\\n");
        case '\r' -> to.append("\\r");
        case '\t' -> to.append("\\t");
        default -> {
          if (Character.isISOControl(c)) {
            to.append("\\u%04x".formatted((int) c));
          } else {
            to.append(c == also ? "\\" : "").append(c);
          }
        }
      }
    }
  }
}
