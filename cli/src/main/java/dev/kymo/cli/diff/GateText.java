package dev.kymo.cli.diff;

import dev.kymo.analysis.difference.Difference;
import dev.kymo.analysis.difference.DifferenceWords;
import dev.kymo.analysis.difference.Finding;
import dev.kymo.analysis.difference.Gate;
import dev.kymo.analysis.difference.GateRule;
import dev.kymo.analysis.difference.Part;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import java.util.List;
import java.util.Locale;

/** The gate's verdict, for people. */
final class GateText {
  private GateText() {}

  static void write(Terminal terminal, Difference difference, List<GateRule> rules, Gate gate) {
    terminal.line("");
    for (GateRule rule : rules) {
      List<Gate.Broken> broken =
          gate.broken().stream().filter(one -> one.rule().equals(rule)).toList();
      terminal.line("gate %s: %s".formatted(rule.text(), broken.isEmpty() ? "holds" : "is broken"));
      broken.forEach(one -> terminal.line("  " + text(difference, one)));
    }
  }

  static String text(Difference difference, Gate.Broken broken) {
    if (broken.finding().isEmpty()) {
      return "%s %s %s → %s"
          .formatted(
              broken.method(),
              broken.rule().metric().name().toLowerCase(Locale.ROOT),
              figure(broken.rule(), broken.before()),
              figure(broken.rule(), broken.after()));
    }
    Finding finding = broken.finding().getFirst();
    DifferenceWords words = new DifferenceWords(difference);
    Part part = finding.parts().getFirst();
    return "%s  %s  [%s]: %s"
        .formatted(
            DifferenceWords.signed(finding.weight()),
            words.title(finding),
            finding.role().name(),
            words.text(part));
  }

  private static String figure(GateRule rule, double value) {
    return rule.metric() == GateRule.Metric.CALLS
        ? DifferenceWords.number(value)
        : Nanos.text(Math.round(value));
  }
}
