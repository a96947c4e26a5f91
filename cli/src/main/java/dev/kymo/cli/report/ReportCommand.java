package dev.kymo.cli.report;

import dev.kymo.analysis.cause.ThreadReport;
import dev.kymo.analysis.cause.ThreadTimes;
import dev.kymo.analysis.events.EventReport;
import dev.kymo.analysis.filter.AcceptedCalls;
import dev.kymo.analysis.locks.LockQuery;
import dev.kymo.analysis.locks.LockReport;
import dev.kymo.analysis.locks.LockRow;
import dev.kymo.analysis.names.Categories;
import dev.kymo.analysis.samples.SampleReport;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.analysis.summary.CategorySum;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.cli.options.CategoryFile;
import dev.kymo.cli.options.FilterOption;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.options.Scripts;
import dev.kymo.cli.options.SelectionOptions;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.reader.Recording;
import dev.kymo.session.ExitCode;
import dev.kymo.session.UsageException;
import dev.kymo.tables.CategoriesTable;
import dev.kymo.tables.LocksTable;
import dev.kymo.tables.UserEventsTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
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
public final class ReportCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RecordingArgument recording;
  @Mixin private SelectionOptions selection;
  @Mixin private RowOptions rows;
  @Mixin private StatisticsOptions statistics;

  @Option(names = "--sort", paramLabel = "COLUMN", description = "One of ${COMPLETION-CANDIDATES}.")
  private @Nullable ReportColumn sort;

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
        description =
            "How long each thread ran, wanted to run and was blocked, and the longest waits with"
                + " who ended them, instead of calls; from kernel events.")
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
        names = "--samples",
        description =
            "How often threads were seen in each method when samples were taken (own), and in it"
                + " or in what it called (total), instead of calls; from other tracers' files.")
    private boolean samples;

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
        names = "--activities",
        paramLabel = "FILE|NAME: begin=EVENT end=EVENT key=FIELD",
        description =
            "Activities across threads and processes, how long they took and the longest of them,"
                + " instead of calls: from a script FILE.js, a file of declarations or a"
                + " declaration; see docs/scripts.md.")
    private @Nullable String activities;

    @Option(
        names = "--instructions",
        description =
            "How many instructions each process executed of each file, and how much of its code,"
                + " instead of calls; from kymo record --instructions.")
    private boolean instructions;

    @Option(
        names = "--locks",
        description =
            "How often each lock was taken, how long threads waited for it and had it, the longest"
                + " waits, and possible deadlocks, instead of calls; from events of thread"
                + " operations and, of Java, from waits.")
    private boolean locks;

    @Option(
        names = "--statistics",
        description =
            "How often calls, events and messages happen, over time too, and percentiles of how"
                + " long they take, by process, thread or core; see docs/statistics.md.")
    private boolean statistics;

    @Option(
        names = "--matrix",
        description =
            "Who sends how many messages to whom, how large and how long they are under way; or who"
                + " ends whose waits, instead of calls.")
    private boolean matrix;

    @Option(
        names = "--shares",
        description = "What the time of threads went to, by package or state, over time.")
    private boolean shares;

    boolean isStatistical() {
      return statistics || matrix || shares;
    }
  }

  public ReportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    rows.prepare(terminal);
    Pattern pattern = rows.pattern();
    if (other.isStatistical()) {
      return statistics();
    }
    if (statistics.isGiven()) {
      throw new UsageException(
          "--of, --by, --columns and --heat-map are of --statistics, --matrix and --shares");
    }
    if (other.threads) {
      return threads(pattern);
    }
    if (other.events) {
      return events(pattern);
    }
    if (other.samples) {
      return samples(pattern);
    }
    if (other.categories != null) {
      return categories(CategoryFile.read(other.categories), pattern);
    }
    if (other.activities != null) {
      return activities(other.activities, pattern);
    }
    if (other.locks) {
      return locks(pattern);
    }
    if (other.instructions) {
      return instructions(pattern);
    }
    ReportColumn column = sort == null ? ReportColumn.total : sort;
    try (FilterOption.Choice choice = rows.choice();
        Recording open = recording.open(terminal)) {
      new MethodReport(terminal, open, selection, rows, column, perThread)
          .write(kind(), choice.test());
    }
    return ExitCode.OK;
  }

  private int threads(Pattern pattern) throws IOException {
    rows.refuseChoice("--threads");
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
              rows.top(),
              terminal.progress("reading"));
      List<ThreadTimes> all =
          report.rows().stream().filter(r -> pattern.matcher(r.name()).find()).toList();
      new ThreadTable(terminal, pass, report).write(rows, all);
    }
    return ExitCode.OK;
  }

  private int events(Pattern pattern) throws IOException {
    if (sort != null || perThread) {
      throw new UsageException("--events has one order and a row for each event anyway");
    }
    try (FilterOption.Choice choice = rows.choice();
        Recording open = recording.open(terminal)) {
      CallPass pass = CallPass.open(open);
      EventReport report =
          EventReport.of(
              pass,
              selection.from(),
              selection.to(),
              selection.threads(),
              sink -> AcceptedCalls.of(pass, sink, choice.test()),
              terminal.progress("reading"));
      List<EventReport.Row> all =
          report.rows().stream()
              .filter(row -> pattern.matcher(row.event().qualifiedName()).find())
              .toList();
      TableReport<EventReport.Row> table =
          new TableReport<>(terminal, rows, UserEventsTable.of(), all);
      if (rows.forPeople() && table.isEmpty()) {
        terminal.line("no events of a program's own in this recording; see docs/events.md");
      }
      table.write(open.oddities());
    }
    return ExitCode.OK;
  }

  private int samples(Pattern pattern) throws IOException {
    if (sort != null || perThread) {
      throw new UsageException("--samples has one order and a row for each method");
    }
    try (FilterOption.Choice choice = rows.choice();
        Recording open = recording.open(terminal)) {
      CallPass pass = CallPass.open(open);
      SampleReport report =
          SampleReport.of(
              pass,
              selection.from(),
              selection.to(),
              selection.threads(),
              sink -> AcceptedCalls.of(pass, sink, choice.test()),
              terminal.progress("reading"));
      SampleTable table = new SampleTable(terminal, rows, pattern, report.kinds());
      if (rows.json()) {
        table.writeJson(pass.oddities());
      } else if (rows.csv()) {
        table.writeCsv();
      } else if (report.kinds().isEmpty()) {
        terminal.line("no samples in this recording; they come from other tracers' files");
      } else {
        table.writeText();
      }
    }
    return ExitCode.OK;
  }

  private int categories(Categories categories, Pattern pattern) throws IOException {
    if (sort != null || perThread || rows.isLimited()) {
      throw new UsageException("--categories has one order, and all rows");
    }
    try (FilterOption.Choice choice = rows.choice();
        Recording open = recording.open(terminal)) {
      Summary summary =
          Summary.of(
              CallPass.open(open),
              MethodReport.query(selection, TrackKind.CALLS, perThread),
              choice.test(),
              terminal.progress("reading"));
      List<MethodSummary> shown =
          summary.rows().stream()
              .filter(r -> pattern.matcher(r.method().qualifiedName()).find())
              .toList();
      List<CategorySum> sums = CategorySum.of(categories, shown);
      long all = sums.stream().mapToLong(CategorySum::self).sum();
      new TableReport<>(terminal, rows, CategoriesTable.of(all), sums).write(open.oddities());
    }
    return ExitCode.OK;
  }

  private int activities(String given, Pattern pattern) throws IOException {
    rows.refuseChoice("--activities");
    if (sort != null || perThread) {
      throw new UsageException("--activities has one order and a row for each name");
    }
    try (Scripts.Rule rule = Scripts.activities(given);
        Recording open = recording.open(terminal)) {
      ActivityTable.write(terminal, CallPass.open(open), rule.rule(), selection, rows, pattern);
    }
    return ExitCode.OK;
  }

  private int locks(Pattern pattern) throws IOException {
    rows.refuseChoice("--locks");
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
                  rows.top()),
              terminal.progress("reading"));
      TableReport<LockRow> table =
          new TableReport<>(terminal, rows, LocksTable.of(report.processes()), report.rows());
      if (table.isEmpty()) {
        LockText.tellNothing(terminal, rows.forPeople(), report.recorded());
      }
      table.write(
          json -> {},
          json -> LockJson.write(json, report),
          () -> new LockText(terminal).write(report));
    }
    return ExitCode.OK;
  }

  private int instructions(Pattern pattern) throws IOException {
    rows.refuseChoice("--instructions");
    if (sort != null || perThread) {
      throw new UsageException("--instructions has one order and a row for each process and file");
    }
    try (Recording open = recording.open(terminal)) {
      new InstructionTable(terminal, open, pattern).write(rows);
    }
    return ExitCode.OK;
  }

  private int statistics() throws IOException {
    rows.refuseChoice("--statistics, --matrix and --shares");
    if (sort != null || perThread) {
      throw new UsageException("statistics have one order; --by tells rows apart");
    }
    checkStatistics();
    selection.to();
    Path path = recording.path(terminal);
    try (Timeline timeline = Timelines.whole(path, terminal.progress("reading"))) {
      List<String> oddities = timeline.oddities();
      terminal.watch(path, () -> oddities);
      TimelineSelection part = StatisticsOptions.selection(timeline, selection);
      if (other.matrix) {
        new MatrixReport(terminal, timeline, part, statistics, rows).write();
      } else if (other.shares) {
        new ShareReport(terminal, timeline, part, statistics, rows).write();
      } else {
        new StatisticsReport(terminal, timeline, part, statistics, rows).write();
      }
    } catch (UnanswerableException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    return ExitCode.OK;
  }

  /** Wrong words are told before anything is read. */
  private void checkStatistics() {
    statistics.columns();
    if (other.shares) {
      statistics.level(statistics.timed());
      return;
    }
    statistics.grouping();
    if (other.matrix) {
      statistics.matrix();
    } else {
      statistics.subjects();
    }
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
}
