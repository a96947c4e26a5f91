package dev.kymo.query.rules;

import java.util.List;

/**
 * What was found about a rule.
 *
 * @param why one sentence without a full stop; empty if there is nothing to say
 * @param violations some of them, the worst first
 */
public record Verdict(Outcome outcome, String why, List<Violation> violations) {
  /** How a rule was judged. */
  public enum Outcome {
    OK("ok"),
    VIOLATED("violated"),
    /** The recording does not say enough. */
    UNKNOWN("unknown"),
    /** The rule itself is wrong. */
    FAILED("failed");

    private final String word;

    Outcome(String word) {
      this.word = word;
    }

    /** As it is printed. */
    public String word() {
      return word;
    }
  }

  static Verdict ok(String why) {
    return new Verdict(Outcome.OK, why, List.of());
  }

  static Verdict violated(String why, List<Violation> violations) {
    return new Verdict(Outcome.VIOLATED, why, violations);
  }

  static Verdict unknown(String why) {
    return new Verdict(Outcome.UNKNOWN, why, List.of());
  }

  static Verdict failed(String why) {
    return new Verdict(Outcome.FAILED, why, List.of());
  }
}
