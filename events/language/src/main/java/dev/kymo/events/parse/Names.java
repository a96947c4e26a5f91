package dev.kymo.events.parse;

import java.util.HashMap;
import java.util.Map;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/** The names of one scope, each of which must be unique. */
final class Names {
  private static final int LONGEST = 255;

  private final Problems problems;
  private final String what;
  private final Map<String, Token> users = new HashMap<>();

  /**
   * @param what "subsystem", "event" or "field"
   */
  Names(Problems problems, String what) {
    this.problems = problems;
    this.what = what;
  }

  /** The token, unless the parser made it up to go on after an error, or found none. */
  static @Nullable Token token(@Nullable TerminalNode node) {
    return node == null || node.getSymbol().getTokenIndex() < 0 ? null : node.getSymbol();
  }

  void add(Token name) {
    String text = name.getText();
    Token user = users.putIfAbsent(text, name);
    if (user != null) {
      problems.add(
          name, "%s '%s' is defined twice: first_line=%d".formatted(what, text, user.getLine()));
    }
    if (text.length() > LONGEST) {
      problems.add(
          name,
          "name of %s is too long: characters=%d most=%d".formatted(what, text.length(), LONGEST));
    }
  }
}
