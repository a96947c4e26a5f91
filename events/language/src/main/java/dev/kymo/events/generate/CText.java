package dev.kymo.events.generate;

import java.nio.charset.StandardCharsets;

/** Writes texts as C literals and comments. */
final class CText {
  private CText() {}

  /**
   * Writes bytes of UTF-8 in octal, which no following digit can lengthen, and avoids trigraphs.
   */
  static String literal(String text) {
    StringBuilder literal = new StringBuilder("\"");
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b == '"' || b == '\\' || b == '?') {
        literal.append('\\').append((char) b);
      } else if (b >= ' ' && b < 0x7F) {
        literal.append((char) b);
      } else {
        literal.append("\\%03o".formatted(b & 0xFF));
      }
    }
    return literal.append('"').toString();
  }

  /** A comment on one line, which the text cannot end. */
  static String comment(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ").replace("*/", "* /").replace("/*", "/ *");
    return "/* " + line.replace('\\', '/') + " */";
  }
}
