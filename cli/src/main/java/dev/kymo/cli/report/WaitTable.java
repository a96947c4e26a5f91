package dev.kymo.cli.report;

import dev.kymo.analysis.names.ThreadNames;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.cli.words.CallId;
import dev.kymo.cli.words.StateText;
import java.util.List;

/** What threads waited for, or what the virtual machine did, as a table for people. */
final class WaitTable {
  private WaitTable() {}

  static void write(Terminal terminal, Summary summary, List<MethodSummary> rows, String what) {
    TextTable table = new TextTable();
    table.row("count", "total", "avg", "p50", "p99", "max", "longest at", what);
    for (MethodSummary r : rows) {
      String mark = r.atLeast() ? "≥" : "";
      table.row(
          mark + r.calls(),
          mark + Nanos.text(r.total()),
          Nanos.text(r.average()),
          Nanos.text(r.p50()),
          Nanos.text(r.p99()),
          Nanos.text(r.max()),
          r.longest().map(l -> CallId.text(l) + " " + ThreadNames.of(l.thread())).orElse(""),
          StateText.name(r.method()) + r.thread().map(t -> " @ " + ThreadNames.of(t)).orElse(""));
    }
    table.write(terminal);
    if (summary.atLeast()) {
      terminal.line("≥ at least: events were lost; 'kymo info' says how many");
    }
  }
}
