package dev.kymo.query.rules;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The text of rules, word by word. A word ends at a space, unless it is in quotes; {@code #} begins
 * a comment.
 */
final class RuleText {
  private static final Pattern SQL = Pattern.compile("(?i)(select|with|from)\\b.*", Pattern.DOTALL);

  private final String name;
  private final String text;
  private int at;
  private int line = 1;
  private int lineBegin;

  /** Where the word begins that was looked at last. */
  private int wordBegin;

  private boolean quoted;

  RuleText(String name, String text) {
    this.name = name;
    this.text = text;
  }

  /** A mistake at the word that was looked at last. */
  static final class Mistake extends Exception {
    private static final long serialVersionUID = 1L;

    Mistake(String message) {
      super(message);
    }
  }

  /** Goes to the next rule; returns whether there is one. */
  boolean nextRule() {
    skip();
    while (at < text.length() && text.charAt(at) == '\n') {
      at++;
      line++;
      lineBegin = at;
      skip();
    }
    wordBegin = at;
    return at < text.length();
  }

  /** Leaves the rest of the line out. */
  void skipLine() {
    while (at < text.length() && text.charAt(at) != '\n') {
      at++;
    }
  }

  /** Where the word stands that was looked at last. */
  String place() {
    return "%s:%d:%d".formatted(name, line, wordBegin - lineBegin + 1);
  }

  int position() {
    return at;
  }

  /** What stands from there to here, with single spaces. */
  String since(int position) {
    return text.substring(position, at).strip().replaceAll("\\s+", " ");
  }

  /** Whether the line is over. */
  boolean atEnd() {
    skip();
    return at >= text.length() || text.charAt(at) == '\n';
  }

  /** Spaces and comments. */
  private void skip() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#') {
        skipLine();
      } else if (c != '\n' && Character.isWhitespace(c)) {
        at++;
      } else {
        return;
      }
    }
  }

  /** The next word, without its quotes; empty at the line's end. */
  String word() throws Mistake {
    int end = find();
    String word = quoted ? text.substring(at + 1, end - 1) : text.substring(at, end);
    at = end;
    return word;
  }

  /** Looks for the next word; returns its end. */
  private int find() throws Mistake {
    boolean none = atEnd();
    wordBegin = at;
    quoted = !none && (text.charAt(at) == '"' || text.charAt(at) == '\'');
    int end = at;
    if (quoted) {
      end = text.indexOf(text.charAt(at), at + 1) + 1;
      int lineEnd = text.indexOf('\n', at);
      if (end == 0 || (lineEnd >= 0 && lineEnd < end)) {
        throw new Mistake("the quote has no end");
      }
      return end;
    }
    while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
      end++;
    }
    return end;
  }

  /** Takes this word if it is the next one. */
  boolean takes(String word) throws Mistake {
    int before = at;
    int end = find();
    if (!quoted && text.substring(at, end).equalsIgnoreCase(word)) {
      at = end;
      return true;
    }
    at = before;
    return false;
  }

  /** The next word, which must be this one. */
  void expect(String word) throws Mistake {
    if (!takes(word)) {
      throw expected("'" + word + "'");
    }
  }

  /** A keyword in small letters; empty for what is in quotes. */
  String keyword() throws Mistake {
    String word = word();
    return quoted ? "" : word.toLowerCase(Locale.ROOT);
  }

  /** A name, with or without quotes. */
  String name(String what) throws Mistake {
    String word = word();
    if (word.isEmpty()) {
      throw foundInstead(what, word);
    }
    return word;
  }

  /** Whether the word that was taken last was in quotes. */
  boolean wasQuoted() {
    return quoted;
  }

  /** Something else was expected in the place of the next word. */
  Mistake expected(String what) throws Mistake {
    int end = find();
    return foundInstead(what, text.substring(at, end));
  }

  /** Something else was expected in the place of the word that was taken last. */
  Mistake foundInstead(String what, String word) {
    return new Mistake(
        "expected %s, found %s"
            .formatted(what, word.isEmpty() ? "the end of the line" : "'" + word + "'"));
  }

  /** Takes a colon that directly follows. */
  void colon() throws Mistake {
    wordBegin = at;
    if (at >= text.length() || text.charAt(at) != ':') {
      throw new Mistake("expected ':' after the rule's name");
    }
    at++;
  }

  /** Whether a question in SQL follows, perhaps in the next lines. */
  boolean atSql() {
    int next = at;
    while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
      next++;
    }
    return SQL.matcher(text).region(next, text.length()).matches();
  }

  /** A question to its semicolon. */
  String sql() throws Mistake {
    while (Character.isWhitespace(text.charAt(at))) {
      newLine();
      at++;
    }
    wordBegin = at;
    int begin = at;
    int beginLine = line;
    int beginOfLine = lineBegin;
    while (at < text.length() && text.charAt(at) != ';') {
      char c = text.charAt(at);
      if (c == '\'' || c == '"') {
        pass(String.valueOf(c), 1);
      } else if (text.startsWith("--", at)) {
        skipLine();
      } else if (text.startsWith("/*", at)) {
        pass("*/", 2);
      } else {
        newLine();
        at++;
      }
    }
    if (at >= text.length()) {
      line = beginLine;
      lineBegin = beginOfLine;
      throw new Mistake("the question has no end, write ';' after it");
    }
    at++;
    return text.substring(begin, at - 1).strip();
  }

  private void newLine() {
    if (text.charAt(at) == '\n') {
      line++;
      lineBegin = at + 1;
    }
  }

  /** Goes on to after an end that is further on than the begin. */
  private void pass(String end, int begin) {
    int found = text.indexOf(end, at + begin);
    int to = found < 0 ? text.length() : found + end.length();
    while (at < to) {
      newLine();
      at++;
    }
  }
}
