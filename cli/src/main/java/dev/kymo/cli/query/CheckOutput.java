package dev.kymo.cli.query;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.query.rules.RuleVerdict;
import dev.kymo.query.rules.RuleVerdict.Outcome;
import dev.kymo.query.rules.Violation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes what was found about rules: for people, or for programs. */
final class CheckOutput {
  private static final String INDENT = " ".repeat(12);

  private final Terminal terminal;
  private final List<CheckedRule> checked;
  private final boolean allowUnknown;

  CheckOutput(Terminal terminal, List<CheckedRule> checked, boolean allowUnknown) {
    this.terminal = terminal;
    this.checked = checked;
    this.allowUnknown = allowUnknown;
  }

  /**
   * Writes it.
   *
   * @param junit file for JUnit's XML; null = none
   */
  void write(boolean json, @Nullable Path junit) throws IOException {
    if (junit != null) {
      JunitReport.write(junit, checked, allowUnknown);
    }
    if (json) {
      writeJson();
    } else {
      writeText();
    }
  }

  private void writeText() {
    boolean several = checked.stream().map(CheckedRule::path).distinct().count() > 1;
    Path last = null;
    for (CheckedRule each : checked) {
      if (several && !each.path().equals(last)) {
        terminal.line(each.path() + ":");
        last = each.path();
      }
      RuleVerdict verdict = each.verdict();
      List<String> why = verdict.why().lines().filter(line -> !line.isBlank()).toList();
      String first = why.isEmpty() ? "" : ": " + why.getFirst();
      terminal.line("%-8s  %s%s".formatted(verdict.outcome().word(), each.rule().name(), first));
      why.stream().skip(1).forEach(line -> terminal.line(INDENT + line)); // the place in a question
      verdict.violations().forEach(violation -> write(each, violation));
    }
    terminal.line(
        "rules=%d violated=%d unknown=%d%s%s"
            .formatted(
                checked.size(),
                count(Outcome.VIOLATED),
                count(Outcome.UNKNOWN),
                allowUnknown && count(Outcome.UNKNOWN) > 0 ? " (allowed)" : "",
                count(Outcome.FAILED) > 0 ? " failed=" + count(Outcome.FAILED) : ""));
  }

  private long count(Outcome outcome) {
    return checked.stream().filter(each -> each.is(outcome)).count();
  }

  private void write(CheckedRule each, Violation violation) {
    terminal.line(INDENT + words(violation));
    String view = each.view(violation);
    if (!view.isEmpty()) {
      terminal.line(INDENT + "  " + view);
    }
    String why = each.why(violation);
    if (!why.isEmpty()) {
      terminal.line(INDENT + "  " + why);
    }
  }

  /** A violation in one line: when, how long, which thread, and what. */
  static String words(Violation violation) {
    StringBuilder line = new StringBuilder();
    if (violation.begin() >= 0) {
      line.append(Nanos.seconds(violation.begin())).append("  ");
    }
    if (violation.finish() > violation.begin()) {
      line.append(Nanos.text(violation.finish() - violation.begin())).append("  ");
    }
    if (violation.thread() > 0) {
      line.append(violation.name().isEmpty() ? "thread" : violation.name());
      line.append(" (%d/%d)".formatted(violation.process(), violation.thread()));
      line.append(violation.what().isEmpty() ? "" : ": ");
    }
    return line.append(violation.what()).toString();
  }

  private void writeJson() throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartArray();
      for (CheckedRule each : checked) {
        json.writeStartObject();
        json.writeStringField("recording", each.path().toString());
        json.writeStringField("rule", each.rule().name());
        json.writeStringField("place", each.rule().place());
        json.writeStringField("outcome", each.verdict().outcome().word());
        json.writeStringField("why", each.verdict().why());
        json.writeArrayFieldStart("violations");
        for (Violation violation : each.verdict().violations()) {
          write(json, each, violation);
        }
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    terminal.line("");
  }

  private static void write(JsonGenerator json, CheckedRule each, Violation violation)
      throws IOException {
    json.writeStartObject();
    if (violation.thread() > 0) {
      json.writeNumberField("process", violation.process());
      json.writeNumberField("thread", violation.thread());
      json.writeStringField("name", violation.name());
    }
    if (violation.begin() >= 0) {
      json.writeNumberField("begin", violation.begin());
      json.writeNumberField("finish", violation.finish());
    }
    json.writeStringField("what", violation.what());
    if (violation.hasPlace()) {
      json.writeStringField("view", each.view(violation));
    }
    if (!each.why(violation).isEmpty()) {
      json.writeStringField("explain", each.why(violation));
    }
    json.writeEndObject();
  }
}
