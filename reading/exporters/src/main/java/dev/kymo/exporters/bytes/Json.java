package dev.kymo.exporters.bytes;

import java.nio.charset.StandardCharsets;

/** Texts and numbers as JSON has them. */
public final class Json {
  private static final String HEX = "0123456789abcdef";

  private Json() {}

  /** A text with quotes; half a surrogate pair becomes its escape. */
  public static String quoted(String text) {
    StringBuilder to = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        to.append(c).append(text.charAt(++i));
      } else if (c == '"' || c == '\\') {
        to.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        to.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          to.append(HEX.charAt((c >> shift) & 15));
        }
      } else {
        to.append(c);
      }
    }
    return to.append('"').toString();
  }

  /** The same in UTF-8. */
  public static byte[] bytes(String text) {
    return quoted(text).getBytes(StandardCharsets.UTF_8);
  }

  /** A number; what JSON does not have, infinite for example, becomes a text. */
  public static String number(Number number) {
    if (number instanceof Double || number instanceof Float) {
      double value = number.doubleValue();
      return Double.isFinite(value) ? Double.toString(value) : quoted(Double.toString(value));
    }
    return number.toString();
  }
}
