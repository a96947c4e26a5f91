package dev.kymo.cli.report;

import dev.kymo.analysis.locks.LockReport;
import dev.kymo.analysis.locks.LockRow;
import dev.kymo.analysis.locks.LockTimes;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Percent;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;

/** What happened to locks, as a table. */
final class LockTable {
  private static final String UNKNOWN = "?";

  private final Terminal terminal;
  private final LockReport report;
  private final List<LockRow> rows;

  LockTable(Terminal terminal, LockReport report, List<LockRow> rows) {
    this.terminal = terminal;
    this.report = report;
    this.rows = rows;
  }

  /** Says why there is nothing: in the output for people, on standard error for programs. */
  static void tellNothing(Terminal terminal, boolean forPeople, boolean recorded) {
    String why =
        recorded
            ? "nothing of locks in the part asked for"
            : "no thread operations in this recording; 'kymo record --threads' records those of"
                + " native programs, 'kymo record --waits on' what Java's threads wait for";
    if (forPeople) {
      terminal.line(why);
    } else {
      terminal.warn(why);
    }
  }

  void writeText() {
    TextTable table = new TextTable();
    table.row(
        "acquired",
        "contended",
        "",
        "waited",
        "p50",
        "p99",
        "max",
        "held",
        "p50",
        "p99",
        "max",
        "threads",
        "longest wait of",
        "object");
    rows.forEach(row -> table.row(cells(row)));
    table.write(terminal);
    notes();
  }

  private String[] cells(LockRow row) {
    boolean whole = row.kind().isWhole();
    String least = row.atLeast() ? "≥" : "";
    String leastHeld = row.atLeast() || row.kept() > 0 ? "≥" : "";
    List<String> cells = new ArrayList<>();
    cells.add(whole ? least + row.acquired() : UNKNOWN);
    cells.add(least + row.contended());
    cells.add(whole ? Percent.text(row.contended(), row.acquired()) : "");
    cells.addAll(times(row.open() > 0 ? "≥" : least, row.waits()));
    cells.addAll(
        whole ? times(leastHeld, row.holds()) : List.of(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN));
    cells.add(Integer.toString(row.threads()));
    cells.add(
        row.longest()
            .map(l -> LockText.name(l.thread()) + " at " + Nanos.seconds(l.begin()))
            .orElse(""));
    cells.add(LockText.printable(row.label()) + process(row));
    return cells.toArray(String[]::new);
  }

  /** Nothing took no time. */
  private static List<String> times(String mark, LockTimes times) {
    if (times.max() == 0 && mark.isEmpty()) {
      return List.of("", "", "", "");
    }
    return List.of(
        mark + Nanos.text(times.total()),
        Nanos.text(times.p50()),
        Nanos.text(times.p99()),
        Nanos.text(times.max()));
  }

  private String process(LockRow row) {
    return report.processes() > 1 ? ", process " + row.process() : "";
  }

  private void notes() {
    if (rows.stream().anyMatch(LockRow::atLeast)) {
      terminal.line("≥ at least: events were lost; 'kymo info' says how many");
    }
    if (rows.stream().anyMatch(row -> row.kept() > 0)) {
      terminal.line("≥ at least: locks were held at the end");
    }
    if (rows.stream().anyMatch(row -> row.open() > 0)) {
      terminal.line("≥ at least: threads waited at the end");
    }
    if (rows.stream().anyMatch(row -> !row.kind().isWhole())) {
      terminal.line(
          "? not known: of Java's locks only waits are recorded, not who took them without waiting,"
              + " nor how long they were held");
    }
  }

  void writeCsv() {
    terminal.line(
        "object,kind,name,address,process,acquired,contended,failed,waited_ns,waited_p50_ns,"
            + "waited_p99_ns,waited_max_ns,held_ns,held_p50_ns,held_p99_ns,held_max_ns,threads,"
            + "longest_thread,longest_thread_name,longest_at_ns,held_at_end,waiting_at_end,at_least");
    for (LockRow row : rows) {
      boolean whole = row.kind().isWhole();
      LockTimes waits = row.waits();
      LockTimes holds = row.holds();
      terminal.csv(
          row.label(),
          row.kind().word(),
          row.name(),
          "0x" + Long.toHexString(row.address()),
          row.process(),
          whole ? row.acquired() : "",
          row.contended(),
          row.failed(),
          waits.total(),
          waits.p50(),
          waits.p99(),
          waits.max(),
          whole ? holds.total() : "",
          whole ? holds.p50() : "",
          whole ? holds.p99() : "",
          whole ? holds.max() : "",
          row.threads(),
          row.longest().map(l -> Integer.toString(l.thread().thread())).orElse(""),
          row.longest().map(l -> l.thread().definition().name()).orElse(""),
          row.longest().map(l -> Long.toString(l.begin())).orElse(""),
          row.kept(),
          row.open(),
          row.atLeast());
    }
  }
}
