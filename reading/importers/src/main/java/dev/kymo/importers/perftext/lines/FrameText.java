package dev.kymo.importers.perftext.lines;

/**
 * A place in code: {@code address symbol+offset (file)}, or a part of that.
 *
 * @param address hexadecimal digits
 * @param symbol empty = not known
 * @param file path, or a name in brackets; empty = not said
 */
public record FrameText(String address, String symbol, String file) {
  private static final String UNKNOWN = "[unknown]";
  private static final String DELETED = " (deleted)";
  private static final int LONGEST_ADDRESS = 16;

  /** Takes a text apart that begins with an address. */
  public static FrameText parse(String text) {
    String rest = text.strip();
    int end = addressEnd(rest);
    String address = rest.substring(0, end);
    rest = rest.substring(end).strip();
    String file = "";
    int open = fileBegin(rest);
    if (open >= 0) {
      file = rest.substring(open + 1, rest.length() - 1);
      rest = rest.substring(0, open).strip();
    }
    if (file.endsWith(DELETED)) {
      file = file.substring(0, file.length() - DELETED.length());
    }
    boolean known = !file.equals(UNKNOWN) && !file.equals("inlined");
    return new FrameText(address, symbol(rest), known ? file : "");
  }

  public static boolean beginsWithAddress(String text) {
    int end = addressEnd(text);
    return end > 0 && (end == text.length() || text.charAt(end) == ' ');
  }

  private static int addressEnd(String text) {
    int end = 0;
    while (end < Math.min(text.length(), LONGEST_ADDRESS)
        && "0123456789abcdef".indexOf(text.charAt(end)) >= 0) {
      end++;
    }
    return end;
  }

  /** Where the last parentheses open, if a blank is before them; else -1. */
  private static int fileBegin(String text) {
    int depth = 0;
    for (int i = text.length() - 1; i >= 0 && text.endsWith(")"); i--) {
      char c = text.charAt(i);
      depth += c == ')' ? 1 : c == '(' ? -1 : 0;
      if (depth == 0) {
        return i == 0 || text.charAt(i - 1) == ' ' ? i : -1;
      }
    }
    return -1;
  }

  private static String symbol(String text) {
    int plus = text.lastIndexOf("+0x");
    String symbol = plus > 0 ? text.substring(0, plus) : text;
    return symbol.equals(UNKNOWN) ? "" : symbol;
  }
}
