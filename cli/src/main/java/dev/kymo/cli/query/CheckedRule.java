package dev.kymo.cli.query;

import dev.kymo.cli.words.CallId;
import dev.kymo.cli.words.ViewPlace;
import dev.kymo.query.rules.Rule;
import dev.kymo.query.rules.RuleVerdict;
import dev.kymo.query.rules.Violation;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * A rule and what was found about it.
 *
 * @param path of the recording, as it was given
 * @param recording its name
 */
record CheckedRule(Path path, String recording, Rule rule, RuleVerdict verdict) {
  private static final Pattern PLAIN = Pattern.compile("[\\w./:@%+,=-]+");

  boolean is(RuleVerdict.Outcome outcome) {
    return verdict.outcome() == outcome;
  }

  /** The command that shows where a violation is; empty if nobody knows. */
  String view(Violation violation) {
    return violation.hasPlace()
        ? "kymo view %s --at %s"
            .formatted(
                word(path.toString()),
                ViewPlace.text(
                    violation.process(), violation.thread(), violation.begin(), violation.finish()))
        : "";
  }

  /** The command that says where the time of a call went; empty if it is no call. */
  String why(Violation violation) {
    return violation.hasPlace() && violation.depth() >= 0
        ? "kymo why %s %s"
            .formatted(
                word(path.toString()),
                CallId.text(
                    violation.process(), violation.thread(), violation.depth(), violation.begin()))
        : "";
  }

  /** A word for a shell. */
  private static String word(String text) {
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
