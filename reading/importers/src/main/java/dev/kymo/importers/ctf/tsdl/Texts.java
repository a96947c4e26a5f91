package dev.kymo.importers.ctf.tsdl;

/** Texts of TSDL without their quotes and escapes. */
final class Texts {
  private Texts() {}

  /** The text that a token in quotes stands for. */
  static String decode(String token) {
    int begin = token.startsWith("L") ? 2 : 1;
    StringBuilder text = new StringBuilder();
    int at = begin;
    while (at < token.length() - 1) {
      char c = token.charAt(at++);
      if (c != '\\') {
        text.append(c);
      } else {
        at = escape(token, at, text);
      }
    }
    return text.toString();
  }

  private static int escape(String token, int at, StringBuilder text) {
    char c = token.charAt(at);
    if (c == 'x') {
      return code(token, at + 1, 16, 2, text);
    }
    if (Character.digit(c, 8) >= 0) {
      return code(token, at, 8, 3, text);
    }
    text.append(
        switch (c) {
          case 'a' -> '\u0007';
          case 'b' -> '\b';
          case 'f' -> '\f';
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'v' -> '\u000B';
          default -> c;
        });
    return at + 1;
  }

  private static int code(String token, int begin, int radix, int most, StringBuilder text) {
    int at = begin;
    int value = 0;
    while (at < token.length() - 1
        && at < begin + most
        && Character.digit(token.charAt(at), radix) >= 0) {
      value = value * radix + Character.digit(token.charAt(at++), radix);
    }
    text.append((char) value);
    return at;
  }
}
