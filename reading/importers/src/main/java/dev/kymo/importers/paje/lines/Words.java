package dev.kymo.importers.paje.lines;

import java.util.ArrayList;
import java.util.List;

/** Splits a line into its words; a word in quotes may have blanks. */
final class Words {
  private final List<String> words = new ArrayList<>();

  /**
   * Splits a line.
   *
   * @param most words after which a {@code #} begins a comment; before, only at the line's begin
   */
  List<String> of(String line, int most) {
    words.clear();
    int at = blanks(line, 0);
    while (at < line.length()) {
      char c = line.charAt(at);
      if (c == '#' && (words.isEmpty() || words.size() >= most)) {
        return words;
      }
      int end = c == '"' || c == '\'' ? quoted(line, at) : -1;
      if (end > 0) {
        words.add(line.substring(at + 1, end));
        at = end + 1;
      } else {
        end = wordEnd(line, at);
        words.add(line.substring(at, end));
        at = end;
      }
      at = blanks(line, at);
    }
    return words;
  }

  /** Where the closing quote is; an apostrophe closes only at the end of a word. */
  private static int quoted(String line, int at) {
    char quote = line.charAt(at);
    int end = line.indexOf(quote, at + 1);
    while (quote == '\'' && end > 0 && end + 1 < line.length() && !isBlank(line.charAt(end + 1))) {
      end = line.indexOf(quote, end + 1);
    }
    return end;
  }

  private static int wordEnd(String line, int at) {
    int end = at;
    while (end < line.length() && !isBlank(line.charAt(end))) {
      end++;
    }
    return end;
  }

  private static int blanks(String line, int at) {
    int next = at;
    while (next < line.length() && isBlank(line.charAt(next))) {
      next++;
    }
    return next;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
  }
}
