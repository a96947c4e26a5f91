package dev.kymo.cli.report;

import dev.kymo.analysis.names.Quantity;
import dev.kymo.analysis.selection.SelectionFacts;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.format.Definition.ProbeCost;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.MethodTable;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.tables.Table;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What people read below a report: what its numbers leave out, and how sure they are. */
final class ReportText {
  /** Of methods that were not recorded. */
  private static final int MOST_NAMES = 10;

  private final Terminal terminal;
  private final Summary summary;
  private final List<MethodSummary> rows;

  ReportText(Terminal terminal, Summary summary, List<MethodSummary> rows) {
    this.terminal = terminal;
    this.summary = summary;
    this.rows = rows;
  }

  /**
   * Writes it.
   *
   * @param ofCalls whether the rows are methods
   */
  void write(CallPass pass, boolean ofCalls) {
    if (ofCalls) {
      notes(pass, rows.stream().anyMatch(row -> row.corrected().isPresent()));
    } else if (summary.atLeast()) {
      terminal.line(Table.LOST);
    }
  }

  private void notes(CallPass pass, boolean corrected) {
    SelectionFacts facts = summary.facts();
    if (corrected) {
      for (TracedProcess process : pass.definitions().processes()) {
        pass.probeCost(process.process()).ifPresent(cost -> correction(process, cost));
      }
    }
    if (facts.counted() > 0) {
      terminal.line(
          "%s calls of %s were counted, not recorded one by one"
              .formatted(
                  Quantity.text(facts.counted()), Quantity.of(facts.countedMethods(), "method")));
    }
    if (rows.stream().anyMatch(MethodSummary::estimated)) {
      terminal.line("~ estimated: some of the counted calls were not timed, but sampled");
    }
    if (summary.atLeast()) {
      terminal.line(Table.LOST);
    }
    List<ModeStep> never = summary.neverRecorded();
    int left = facts.leftOut() - never.size();
    if (left > 0) {
      terminal.line(
          "≥ at least: %s left out for some of the time; 'kymo info --steps' says why"
              .formatted(Quantity.of(left, "method") + (left == 1 ? " was" : " were")));
      leftOutBefore(pass);
    }
    if (!never.isEmpty()) {
      terminal.line("not recorded, so their time is in their callers' self: " + names(pass, never));
    }
    if (rows.stream().anyMatch(MethodSummary::untimed)) {
      terminal.line("≥ at least: counted calls had not ended, or their time was not measured");
    }
    if (pass.diagnostics().total() > 0) {
      terminal.line(
          "%d oddities in the recording; 'kymo info' lists them"
              .formatted(pass.diagnostics().total()));
    }
  }

  private static String names(CallPass pass, List<ModeStep> steps) {
    MethodTable methods = pass.definitions().methods();
    String names =
        steps.stream()
            .limit(MOST_NAMES)
            .map(step -> methods.get(step.method()).qualifiedName())
            .collect(Collectors.joining(", "));
    return steps.size() <= MOST_NAMES
        ? names
        : names
            + " and %d more; 'kymo info --steps' lists them".formatted(steps.size() - MOST_NAMES);
  }

  /** No call of these is in the recording. */
  private void leftOutBefore(CallPass pass) {
    Set<TracedMethod> shown =
        summary.rows().stream().map(MethodSummary::method).collect(Collectors.toSet());
    MethodTable methods = pass.definitions().methods();
    String names =
        Remembered.of(pass).leftOut(pass, step -> !shown.contains(methods.get(step.method())));
    if (!names.isEmpty()) {
      terminal.line(
          "left out from the beginning, as in the run before (--no-memory starts from scratch): "
              + names);
    }
  }

  private void correction(TracedProcess process, ProbeCost cost) {
    terminal.line(
        "* without what probes took, within ±; process %d: %s"
            .formatted(process.process(), BudgetFacts.calibration(cost)));
  }
}
