package dev.kymo.events.generate;

import java.nio.charset.StandardCharsets;

/** Texts in C's literals and comments. */
final class CText {
  private CText() {}

  /** Bytes of UTF-8 in octal, which no digit behind can lengthen, and no trigraphs. */
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

  /** A comment on one line that the text cannot end. */
  static String comment(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ").replace("*/", "* /").replace("/*", "/ *");
    return "/* " + line.replace('\\', '/') + " */";
  }
}
