package dev.kymo.cli.report;

import dev.kymo.analysis.costs.CorrectedTimes;
import dev.kymo.analysis.names.ThreadNames;
import dev.kymo.analysis.selection.SelectionFacts;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Quantity;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.cli.words.CallId;
import dev.kymo.format.Definition.ProbeCost;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.MethodTable;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A report for people. Times without probes and counted shares are shown only where there is
 * something to show, in place of average and median.
 */
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
   * @param all the rows that are added up, also those that are not shown
   */
  void write(CallPass pass, List<MethodSummary> all) {
    boolean corrected = rows.stream().anyMatch(r -> r.corrected().isPresent());
    boolean counted = rows.stream().anyMatch(r -> r.counted() > 0);
    TextTable table = new TextTable();
    boolean waited = rows.stream().anyMatch(r -> r.selfTime().waited() > 0);
    boolean perThread = rows.stream().anyMatch(r -> r.thread().isPresent());
    table.row(head(corrected, counted, waited, perThread));
    RowNames names = new RowNames(summary.rows());
    rows.forEach(row -> table.row(cells(row, names, corrected, counted, waited)));
    if (!all.isEmpty()) {
      table.row(sum(all, corrected, counted, waited, perThread));
    }
    table.write(terminal);
    notes(pass, corrected);
    if (waited) {
      terminal.line(
          "waited: the part of self in which the program did not run, as far as recorded; in"
              + " JSON and CSV by reason");
    }
  }

  private static String[] head(
      boolean corrected, boolean counted, boolean waited, boolean perThread) {
    List<String> cells = new ArrayList<>(List.of("calls"));
    if (counted) {
      cells.add("counted");
    }
    cells.addAll(
        corrected
            ? List.of("total", "total*", "self", "self*", "±")
            : List.of("total", "self", "avg", "p50"));
    if (waited) {
      cells.add("waited");
    }
    cells.addAll(List.of("p99", "max", "longest at", perThread ? "method @ thread" : "method"));
    return cells.toArray(String[]::new);
  }

  private static String[] cells(
      MethodSummary r, RowNames names, boolean corrected, boolean counted, boolean waited) {
    String least = r.atLeast() ? "≥" : "";
    String mark = (r.timeAtLeast() ? "≥" : "") + (r.estimated() ? "~" : "");
    List<String> cells = new ArrayList<>(List.of(least + r.calls()));
    if (counted) {
      cells.add(r.counted() == 0 ? "" : "%d %%".formatted(100 * r.counted() / r.calls()));
    }
    cells.add(mark + Nanos.text(r.total()));
    if (corrected) {
      CorrectedTimes c = r.corrected().orElse(null);
      cells.add(c == null ? "" : mark + Nanos.text(c.total()));
      cells.add(Nanos.text(r.self()));
      cells.add(c == null ? "" : Nanos.text(c.self()));
      cells.add(c == null ? "" : Nanos.text(c.error()));
    } else {
      cells.add(Nanos.text(r.self()));
      cells.add(Nanos.text(r.average()));
      cells.add(Nanos.text(r.p50()));
    }
    if (waited) {
      long time = r.selfTime().waited();
      cells.add(time == 0 ? "" : Nanos.text(time));
    }
    cells.add(Nanos.text(r.p99()));
    cells.add(Nanos.text(r.max()));
    cells.add(r.longest().map(CallId::text).orElse(""));
    String thread = r.thread().map(t -> " @ " + ThreadNames.of(t)).orElse("");
    cells.add(names.of(r.method()) + thread);
    return cells.toArray(String[]::new);
  }

  /** Total times contain each other and cannot be added: only self times can. */
  private static String[] sum(
      List<MethodSummary> all,
      boolean corrected,
      boolean counted,
      boolean waited,
      boolean perThread) {
    long calls = all.stream().mapToLong(MethodSummary::calls).sum();
    String least = all.stream().anyMatch(MethodSummary::atLeast) ? "≥" : "";
    List<String> cells = new ArrayList<>(List.of(least + calls));
    if (counted) {
      long only = all.stream().mapToLong(MethodSummary::counted).sum();
      cells.add("%d %%".formatted(100 * only / Math.max(1, calls)));
    }
    cells.add("");
    if (corrected) {
      cells.add("");
    }
    cells.add(Nanos.text(all.stream().mapToLong(MethodSummary::self).sum()));
    if (corrected) {
      cells.add(
          Nanos.text(
              all.stream()
                  .mapToLong(r -> r.corrected().map(CorrectedTimes::self).orElse(r.self()))
                  .sum()));
      cells.add("");
    } else {
      cells.addAll(List.of("", ""));
    }
    if (waited) {
      cells.add(Nanos.text(all.stream().mapToLong(r -> r.selfTime().waited()).sum()));
    }
    cells.addAll(List.of("", "", "", sumOf(all, perThread)));
    return cells.toArray(String[]::new);
  }

  private static String sumOf(List<MethodSummary> all, boolean perThread) {
    long processes = all.stream().map(r -> r.method().process()).distinct().count();
    String of = processes > 1 ? " of %d processes".formatted(processes) : "";
    return perThread
        ? "sum of %d rows%s".formatted(all.size(), of)
        : "sum of %d methods%s, all their threads added".formatted(all.size(), of);
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
          "%s calls of %d methods were counted, not recorded one by one"
              .formatted(Quantity.text(facts.counted()), facts.countedMethods()));
    }
    if (rows.stream().anyMatch(MethodSummary::estimated)) {
      terminal.line("~ estimated: some of the counted calls were not timed, but sampled");
    }
    if (summary.atLeast()) {
      terminal.line("≥ at least: events were lost; 'kymo info' says how many");
    }
    List<ModeStep> never = summary.neverRecorded();
    if (facts.leftOut() > never.size()) {
      terminal.line(
          "≥ at least: %d methods were left out for some of the time; 'kymo info --steps' says why"
              .formatted(facts.leftOut() - never.size()));
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
