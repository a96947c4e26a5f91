package dev.kymo.events.generate;

/** Writes texts as Java literals and comments, and sources in ASCII. */
final class JavaText {
  private JavaText() {}

  static String literal(String text) {
    StringBuilder literal = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> literal.append('\\').append(c);
        case '\n' -> literal.append("\\n");
        case '\r' -> literal.append("\\r");
        case '\t' -> literal.append("\\t");
        default -> {
          if (c < ' ') {
            literal.append("\\%03o".formatted((int) c));
          } else {
            literal.append(c);
          }
        }
      }
    }
    return literal.append('"').toString();
  }

  /** A sentence for Javadoc: nothing in it is markup, a tag, an escape, or the comment's end. */
  static String sentence(String text) {
    StringBuilder html = new StringBuilder();
    String plain = text.strip();
    for (int i = 0; i < plain.length(); i++) {
      char c = plain.charAt(i);
      switch (c) {
        case '&' -> html.append("&amp;");
        case '<' -> html.append("&lt;");
        case '>' -> html.append("&gt;");
        case '@', '*', '\\', '{', '}' -> html.append("&#").append((int) c).append(';');
        default -> html.append(c < ' ' ? ' ' : c);
      }
    }
    boolean ended = !plain.isEmpty() && ".!?".indexOf(plain.charAt(plain.length() - 1)) >= 0;
    return ended ? html.toString() : html.append('.').toString();
  }

  /** The same source whatever encoding it is compiled with. */
  static String ascii(String source) {
    StringBuilder ascii = new StringBuilder(source.length());
    for (int i = 0; i < source.length(); i++) {
      char c = source.charAt(i);
      if (c < 0x80) {
        ascii.append(c);
      } else {
        ascii.append("\\u%04x".formatted((int) c));
      }
    }
    return ascii.toString();
  }
}
