package dev.kymo.query.rules;

import java.util.List;

/** Rules that are none. */
public final class RuleException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  RuleException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** What is wrong: {@code FILE:LINE:COLUMN: what was expected, what was found}. */
  public List<String> problems() {
    return problems;
  }
}
