package dev.kymo.events.parse;

import dev.kymo.events.DefinitionException;
import dev.kymo.events.Place;
import dev.kymo.events.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.antlr.v4.runtime.Token;

/** Collects what is wrong in a file, so that the user sees all problems, not only the first. */
final class Problems {
  private final String file;
  private final List<Problem> all = new ArrayList<>();

  Problems(String file) {
    this.file = file;
  }

  static Place place(Token token) {
    return new Place(token.getLine(), token.getCharPositionInLine() + 1);
  }

  /** The place after a token that ends in the line it begins in. */
  static Place behind(Token token) {
    int length = token.getStopIndex() - token.getStartIndex() + 1;
    return new Place(token.getLine(), token.getCharPositionInLine() + 1 + length);
  }

  void add(Place place, String message) {
    all.add(new Problem(file, place, message));
  }

  void add(Token token, String message) {
    add(place(token), message);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  void throwIfAny() throws DefinitionException {
    if (!all.isEmpty()) {
      throw new DefinitionException(
          all.stream().sorted(Comparator.comparing(Problem::place)).toList());
    }
  }
}
