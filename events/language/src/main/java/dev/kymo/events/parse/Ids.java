package dev.kymo.events.parse;

import java.util.HashMap;
import java.util.Map;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/**
 * Gives ids to subsystems, or to the events of one subsystem. A definition without an id gets the
 * number of definitions before it that have none either. So adding a definition at the end, or one
 * with an id at any place, does not change the id of another.
 */
final class Ids {
  static final int LARGEST = 65535;
  private static final int MOST_DIGITS = 9;

  private final Problems problems;
  private final String what;
  private final boolean complete;
  private final Map<Integer, Token> users = new HashMap<>();
  private int next;

  /**
   * @param what "subsystem" or "event"
   * @param complete whether nothing of the file was skipped: else ids by position are wrong, and
   *     are not checked
   */
  Ids(Problems problems, String what, boolean complete) {
    this.problems = problems;
    this.what = what;
    this.complete = complete;
  }

  /** The id of the definition called {@code name}. */
  int id(Token name, DefinitionParser.@Nullable IdContext given) {
    Token number = given == null ? null : given.NUMBER().getSymbol();
    int id = number == null ? next++ : value(number);
    if (number == null && !complete) {
      return id;
    }
    Token place = number == null ? name : number;
    if (id > LARGEST) {
      // Reporting the first that is too many is enough, whatever follows.
      if (number != null || id == LARGEST + 1) {
        problems.add(place, tooLarge(name, number));
      }
      return id;
    }
    Token user = users.putIfAbsent(id, name);
    if (user != null) {
      problems.add(
          place,
          "id of %s '%s' is used already: id=%d by='%s' line=%d; give one of them another id with '= ID'"
              .formatted(what, name.getText(), id, user.getText(), user.getLine()));
    }
    return id;
  }

  private String tooLarge(Token name, @Nullable Token number) {
    return number == null
        ? "too many: %s '%s' would have id=%d, largest=%d; give it a free id with '= ID'"
            .formatted(what, name.getText(), LARGEST + 1, LARGEST)
        : "id of %s '%s' is too large: id=%s largest=%d"
            .formatted(what, name.getText(), number.getText(), LARGEST);
  }

  private static int value(Token number) {
    String text = number.getText();
    boolean hex = text.length() > 1 && Character.toLowerCase(text.charAt(1)) == 'x';
    String digits = (hex ? text.substring(2) : text).replaceFirst("^0+(?=.)", "");
    return digits.length() > MOST_DIGITS
        ? Integer.MAX_VALUE
        : (int) Math.min(Integer.MAX_VALUE, Long.parseLong(digits, hex ? 16 : 10));
  }
}
