package dev.kymo.cli;

import dev.kymo.analysis.Categories;
import dev.kymo.analysis.EventReport;
import dev.kymo.analysis.MethodSummary;
import dev.kymo.analysis.Summary;
import dev.kymo.analysis.SummaryQuery;
import dev.kymo.analysis.ThreadReport;
import dev.kymo.analysis.ThreadTimes;
import dev.kymo.analysis.ToldTimes;
import dev.kymo.analysis.locks.LockQuery;
import dev.kymo.analysis.locks.LockReport;
import dev.kymo.analysis.locks.LockRow;
import dev.kymo.model.CallPass;
import dev.kymo.model.TrackKind;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kymo report}: who costs what. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Shows what each method cost: calls, total and self time, average, percentiles.")
final class ReportCommand implements Callable<Integer> {
  /** More is for programs to read. */
  private static final long TEXT_LIMIT = 100;

  private final Terminal terminal;

  @Mixin private RecordingArgument recording;
  @Mixin private SelectionOptions selection;
  @Mixin private FormatOptions format;

  @Option(names = "--sort", paramLabel = "COLUMN", description = "One of ${COMPLETION-CANDIDATES}.")
  private @Nullable ReportColumn sort;

  @Option(
      names = "--filter",
      paramLabel = "REGEX",
      description = "Only methods, threads, events or locks whose name has this.")
  private @Nullable String filter;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "At most so many rows, 0 = all; default: 100 in text, all in JSON and CSV.")
  private @Nullable Long limit;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "10",
      description = "So many of the longest waits, with --threads and --locks; default: 10.")
  private int top;

  @Option(names = "--per-thread", description = "A row for each method and thread.")
  private boolean perThread;

  @ArgGroup(exclusive = true)
  private Other other = new Other();

  private static final class Other {
    @Option(
        names = "--waits",
        description = "What threads waited for, by kind and class, instead of calls.")
    private boolean waits;

    @Option(names = "--jvm", description = "What the virtual machine did, instead of calls.")
    private boolean jvm;

    @Option(
        names = "--threads",
        description = {
          "How long each thread ran, wanted to run and was blocked, and the longest waits with who",
          "ended them, instead of calls; from kernel events."
        })
    private boolean threads;

    @Option(
        names = "--kernel",
        description = "What the kernel did with threads, by state and reason, instead of calls.")
    private boolean kernel;

    @Option(
        names = "--cpus",
        description = "Which threads and interrupts had each processor, instead of calls.")
    private boolean cpus;

    @Option(
        names = "--events",
        description =
            "How often each event of the programs' own happened, what counters and messages did,"
                + " instead of calls.")
    private boolean events;

    @Option(
        names = "--categories",
        paramLabel = "FILE",
        description = {
          "Self time and calls of groups of methods, instead of calls. The file has a line for each"
              + " group: CATEGORY = PATTERN ...; in patterns * stands for anything,"
              + " file:PATTERN is of the source file, in:PATTERN of the class or library."
        })
    private @Nullable Path categories;

    @Option(
        names = "--locks",
        description =
            "How often each lock was taken, how long threads waited for it and had it, the longest"
                + " waits, and possible deadlocks, instead of calls; from events of thread operations"
                + " and, of Java, from waits.")
    private boolean locks;
  }

  ReportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Pattern pattern = pattern();
    if (other.threads) {
      return threads(pattern);
    }
    if (other.events) {
      return events(pattern);
    }
    if (other.categories != null) {
      return categories(CategoryTable.read(other.categories), pattern);
    }
    if (other.locks) {
      return locks(pattern);
    }
    ReportColumn column = sort == null ? ReportColumn.total : sort;
    try (Recording open = recording.open(terminal)) {
      TrackKind kind = kind();
      CallPass pass = CallPass.open(open);
      Summary summary = Summary.of(pass, query(kind), terminal.progress("reading"));
      if (kind == TrackKind.CALLS && hasProcessorsOnly(pass)) {
        kind = TrackKind.CPU;
        pass = CallPass.open(open);
        summary = Summary.of(pass, query(kind), terminal.progress("reading"));
      }
      boolean waits = kind == TrackKind.STATES;
      List<MethodSummary> rows =
          summary.rows().stream()
              .filter(r -> !waits || !ToldTimes.isWeaving(r.method()))
              .filter(r -> pattern.matcher(name(r)).find())
              .sorted(
                  column
                      .order()
                      .thenComparing(ReportCommand::name)
                      .thenComparingInt(r -> r.method().id())
                      .thenComparingInt(r -> r.thread().map(t -> t.index()).orElse(0)))
              .toList();
      List<MethodSummary> shown = rows.subList(0, (int) Math.min(rows.size(), rowLimit()));
      write(pass, kind, summary, shown, rows);
      tellMore(rows.size() - shown.size());
    }
    return Main.OK;
  }

  private SummaryQuery query(TrackKind kind) {
    boolean apart = perThread || kind == TrackKind.CPU;
    return new SummaryQuery(selection.from(), selection.to(), selection.threads(), kind, apart);
  }

  /** Logs of other systems tell of nothing else. */
  private static boolean hasProcessorsOnly(CallPass pass) {
    return NotRecorded.has(pass, TrackKind.CPU)
        && pass.threads().stream().allMatch(t -> TrackKind.of(t.definition()) == TrackKind.CPU);
  }

  private int threads(Pattern pattern) throws IOException {
    if (sort != null || perThread) {
      throw new UsageException("--threads has one order and a row for each thread anyway");
    }
    try (Recording open = recording.open(terminal)) {
      CallPass pass = CallPass.open(open);
      ThreadReport report =
          ThreadReport.of(
              pass,
              selection.from(),
              selection.to(),
              selection.threads(),
              top(),
              terminal.progress("reading"));
      List<ThreadTimes> all =
          report.rows().stream().filter(r -> pattern.matcher(r.name()).find()).toList();
      List<ThreadTimes> rows = all.subList(0, (int) Math.min(all.size(), rowLimit()));
      ThreadTable table = new ThreadTable(terminal, pass, report, rows);
      if (rows.isEmpty()) {
        NotRecorded.tell(terminal, forPeople(), pass, TrackKind.SCHEDULED);
      }
      if (format.json()) {
        table.writeJson();
      } else if (format.csv()) {
        table.writeCsv();
      } else if (!rows.isEmpty()) {
        table.writeText();
      }
      tellMore(all.size() - rows.size());
    }
    return Main.OK;
  }

  private int events(Pattern pattern) throws IOException {
    if (sort != null || perThread) {
      throw new UsageException("--events has one order and a row for each event anyway");
    }
    try (Recording open = recording.open(terminal)) {
      EventReport report =
          EventReport.of(
              CallPass.open(open),
              selection.from(),
              selection.to(),
              selection.threads(),
              terminal.progress("reading"));
      List<EventReport.Row> all =
          report.rows().stream()
              .filter(row -> pattern.matcher(row.event().qualifiedName()).find())
              .toList();
      List<EventReport.Row> rows = all.subList(0, (int) Math.min(all.size(), rowLimit()));
      EventTable table = new EventTable(terminal, rows, open.oddities());
      if (format.json()) {
        table.writeJson();
      } else if (format.csv()) {
        table.writeCsv();
      } else if (rows.isEmpty()) {
        terminal.line("no events of a program's own in this recording; see docs/events.md");
      } else {
        table.writeText();
      }
      tellMore(all.size() - rows.size());
    }
    return Main.OK;
  }

  private int categories(Categories categories, Pattern pattern) throws IOException {
    if (sort != null || perThread || limit != null) {
      throw new UsageException("--categories has one order, and all rows");
    }
    try (Recording open = recording.open(terminal)) {
      Summary summary =
          Summary.of(CallPass.open(open), query(TrackKind.CALLS), terminal.progress("reading"));
      List<MethodSummary> rows =
          summary.rows().stream().filter(r -> pattern.matcher(name(r)).find()).toList();
      CategoryTable table = new CategoryTable(terminal, categories, rows, open.oddities());
      if (format.json()) {
        table.writeJson();
      } else if (format.csv()) {
        table.writeCsv();
      } else {
        table.writeText();
      }
    }
    return Main.OK;
  }

  private int locks(Pattern pattern) throws IOException {
    if (sort != null || perThread) {
      throw new UsageException("--locks has one order and a row for each lock");
    }
    try (Recording open = recording.open(terminal)) {
      LockReport report =
          LockReport.of(
              open,
              new LockQuery(
                  selection.from(),
                  selection.to(),
                  selection.threads(),
                  name -> pattern.matcher(name).find(),
                  top()),
              terminal.progress("reading"));
      List<LockRow> all = report.rows();
      List<LockRow> rows = all.subList(0, (int) Math.min(all.size(), rowLimit()));
      if (rows.isEmpty()) {
        LockTable.tellNothing(terminal, forPeople(), report.recorded());
      }
      if (format.json()) {
        LockJson.write(terminal, report, rows);
      } else if (format.csv()) {
        new LockTable(terminal, report, rows).writeCsv();
      } else if (!rows.isEmpty()) {
        new LockTable(terminal, report, rows).writeText();
        tellMore(all.size() - rows.size());
        new LockText(terminal).write(report);
      }
    }
    return Main.OK;
  }

  private int top() {
    if (top < 0) {
      throw new UsageException("--top is a number from 0 on: top=" + top);
    }
    return top;
  }

  private boolean forPeople() {
    return !format.json() && !format.csv();
  }

  private void tellMore(long rows) {
    if (forPeople() && rows > 0) {
      terminal.line("%d more rows, --limit 0 shows all".formatted(rows));
    }
  }

  private long rowLimit() {
    if (limit == null) {
      return format.json() || format.csv() ? Long.MAX_VALUE : TEXT_LIMIT;
    }
    return limit == 0 ? Long.MAX_VALUE : limit;
  }

  private Pattern pattern() {
    try {
      return Pattern.compile(filter == null ? "" : filter);
    } catch (PatternSyntaxException e) {
      throw new UsageException(
          "not a regular expression: filter=%s reason=\"%s\""
              .formatted(filter, e.getDescription()));
    }
  }

  private static String name(MethodSummary row) {
    return row.method().qualifiedName();
  }

  private TrackKind kind() {
    if (other.kernel) {
      return TrackKind.SCHEDULED;
    }
    if (other.cpus) {
      return TrackKind.CPU;
    }
    return other.waits ? TrackKind.STATES : other.jvm ? TrackKind.JVM : TrackKind.CALLS;
  }

  private void write(
      CallPass pass,
      TrackKind kind,
      Summary summary,
      List<MethodSummary> rows,
      List<MethodSummary> all)
      throws IOException {
    boolean nothing = rows.isEmpty() && kind != TrackKind.CALLS;
    if (nothing) {
      NotRecorded.tell(terminal, forPeople(), pass, kind);
    }
    if (format.json()) {
      ReportLines.writeJson(terminal, summary, rows, pass.oddities());
    } else if (format.csv()) {
      ReportLines.writeCsv(terminal, rows);
    } else if (kind == TrackKind.CALLS) {
      new ReportText(terminal, summary, rows).write(pass, all);
    } else if (!nothing) {
      WaitText.write(terminal, summary, rows, other.waits ? "waited for" : "what");
    }
  }
}
