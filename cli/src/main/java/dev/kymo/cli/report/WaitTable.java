package dev.kymo.cli;

import dev.kymo.analysis.MethodSummary;
import dev.kymo.analysis.Summary;
import dev.kymo.model.TracedMethod;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What threads waited for, or what the virtual machine did, as a table for people. */
final class WaitText {
  private WaitText() {}

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
          r.longest().map(l -> CallId.text(l) + " " + ThreadWords.of(l.thread())).orElse(""),
          name(r.method()) + r.thread().map(t -> " @ " + ThreadWords.of(t)).orElse(""));
    }
    table.write(terminal);
    if (summary.atLeast()) {
      terminal.line("≥ at least: events were lost; 'kymo info' says how many");
    }
  }

  /** What a state is called: {@code monitor a.B}, {@code sleep}. */
  static String name(TracedMethod state) {
    return Stream.of(state.type(), state.name())
        .filter(word -> !word.isEmpty())
        .collect(Collectors.joining(" "));
  }
}
