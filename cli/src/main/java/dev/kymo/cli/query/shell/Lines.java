package dev.kymo.cli.query.shell;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A source of questions. */
public interface Lines extends AutoCloseable {
  /**
   * The next question or command, which may have several lines.
   *
   * @return null at the end
   */
  @Nullable String next() throws IOException;

  /** Does something that takes time; {@code cancel} is called when its user has enough of it. */
  void during(Runnable cancel, Runnable work);

  @Override
  void close() throws IOException;

  /** Whether a text is a whole question or command. */
  static boolean isWhole(String text) {
    String stripped = text.strip();
    return stripped.isEmpty() || stripped.startsWith(".") || ends(stripped);
  }

  /** Whether it ends with a semicolon that is neither in a text nor in a comment. */
  private static boolean ends(String text) {
    boolean ends = false;
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter == '\'' || letter == '"') {
        int close = text.indexOf(letter, i + 1);
        if (close < 0) {
          return false;
        }
        i = close;
        ends = false;
      } else if (text.startsWith("--", i)) {
        int end = text.indexOf('\n', i);
        i = end < 0 ? text.length() : end;
      } else if (!Character.isWhitespace(letter)) {
        ends = letter == ';';
      }
    }
    return ends;
  }
}
