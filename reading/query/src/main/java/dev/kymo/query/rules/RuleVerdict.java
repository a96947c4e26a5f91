package dev.kymo.query.rules;

import java.util.List;

/**
 * What was found about a rule.
 *
 * @param why one sentence without a full stop; empty if there is nothing to say
 * @param violations some of them, the worst first
 */
public record RuleVerdict(Outcome outcome, String why, List<Violation> violations) {
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

  static RuleVerdict ok(String why) {
    return new RuleVerdict(Outcome.OK, why, List.of());
  }

  static RuleVerdict violated(String why, List<Violation> violations) {
    return new RuleVerdict(Outcome.VIOLATED, why, violations);
  }

  static RuleVerdict unknown(String why) {
    return new RuleVerdict(Outcome.UNKNOWN, why, List.of());
  }

  static RuleVerdict failed(String why) {
    return new RuleVerdict(Outcome.FAILED, why, List.of());
  }
}
