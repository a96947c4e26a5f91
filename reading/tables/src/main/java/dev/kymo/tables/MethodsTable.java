package dev.kymo.tables;

import dev.kymo.analysis.cause.StateText;
import dev.kymo.analysis.costs.CorrectedTimes;
import dev.kymo.analysis.costs.SelfTime;
import dev.kymo.analysis.names.Quantity;
import dev.kymo.analysis.names.ThreadNames;
import dev.kymo.analysis.names.TimeText;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.model.calls.ThreadCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What each method cost; or each state of threads, as if it were a method. */
public final class MethodsTable {
  private static final Column<MethodSummary> CALLS =
      Column.count("calls", "calls", "recorded as events or counted", MethodSummary::calls)
          .atLeast(MethodSummary::atLeast)
          .summed(MethodSummary::calls);
  private static final Column<MethodSummary> TOTAL =
      time("total", "total", "in it and what it called, outermost calls", MethodSummary::total);
  private static final Column<MethodSummary> SELF =
      Column.nanos("self", "self", "in the method itself", MethodSummary::self)
          .summed(MethodSummary::self);
  private static final Column<MethodSummary> AVERAGE =
      Column.nanos("avg", "avg", "of a call", MethodSummary::average);
  private static final Column<MethodSummary> P50 =
      Column.nanos("p50", "p50", "the median of calls, within 1.6 %", MethodSummary::p50);
  private static final Column<MethodSummary> P99 =
      Column.nanos("p99", "p99", "99 % of calls took no longer", MethodSummary::p99);
  private static final Column<MethodSummary> MAX =
      Column.nanos("max", "max", "the longest call", MethodSummary::max);
  private static final Column<MethodSummary> LONGEST =
      Column.text(
          "longest", "longest at", "the longest recorded call", ofLongest(MethodsTable::id));
  private static final List<Column<MethodSummary>> CORRECTED =
      List.of(
          corrected("corrected_total", "total*", "total without probes", CorrectedTimes::total)
              .atLeast(MethodSummary::timeAtLeast)
              .estimatedWhere(MethodSummary::estimated),
          corrected("corrected_self", "self*", "self without probes", CorrectedTimes::self)
              .summed(row -> row.corrected().map(CorrectedTimes::self).orElse(row.self())),
          corrected("error", "±", "how far these two may be off", CorrectedTimes::error));

  private MethodsTable() {}

  /**
   * The table of methods. Times without probes take the place of average and median.
   *
   * @param all rows, some of which may be shown
   */
  public static Table<MethodSummary> of(List<MethodSummary> all) {
    RowNames names = new RowNames(all);
    boolean corrected = all.stream().anyMatch(row -> row.corrected().isPresent());
    boolean perThread = all.stream().anyMatch(row -> row.thread().isPresent());
    List<Column<MethodSummary>> people = new ArrayList<>(List.of(CALLS));
    people.add(
        Column.<MethodSummary>share(
                "counted", "not recorded one by one", MethodSummary::counted, MethodSummary::calls)
            .where(row -> row.counted() > 0, "")
            .summedAs(MethodsTable::countedShare));
    people.add(TOTAL);
    if (corrected) {
      people.addAll(List.of(CORRECTED.get(0), SELF, CORRECTED.get(1), CORRECTED.get(2)));
    } else {
      people.addAll(List.of(SELF, AVERAGE, P50));
    }
    people.add(
        Column.<MethodSummary>nanos(
                "",
                "waited",
                "the part of self in which the program did not run",
                row -> row.selfTime().waited())
            .where(row -> row.selfTime().waited() > 0, "")
            .summed(row -> row.selfTime().waited()));
    people.addAll(List.of(P99, MAX, LONGEST));
    people.add(
        Column.<MethodSummary>text(
                "",
                perThread ? "method @ thread" : "method",
                "its name",
                row -> names.of(row.method()) + thread(row))
            .summedAs(rows -> sumOf(rows, perThread)));
    return new Table<>(
        "methods",
        "what each method cost",
        forPrograms(),
        people,
        List.of(
            new Table.Note<>(
                row -> row.selfTime().waited() > 0,
                "waited: the part of self in which the program did not run, as far as recorded; in"
                    + " JSON and CSV by reason")));
  }

  /**
   * The table of states of threads.
   *
   * @param label what they are
   */
  public static Table<MethodSummary> ofStates(String label) {
    List<Column<MethodSummary>> people = new ArrayList<>();
    people.add(
        Column.<MethodSummary>count("", "count", "how often", MethodSummary::calls)
            .atLeast(MethodSummary::atLeast));
    people.add(
        Column.<MethodSummary>nanos("", "total", "of all threads", MethodSummary::total)
            .atLeast(MethodSummary::atLeast));
    people.addAll(List.of(AVERAGE, P50, P99, MAX));
    people.add(
        Column.text(
            "",
            "longest at",
            "and whose it was",
            ofLongest(longest -> id(longest) + " " + ThreadNames.of(longest.thread()))));
    people.add(
        Column.text(
            "", label, "kind and object", row -> StateText.name(row.method()) + thread(row)));
    return new Table<>("methods", "what each state cost", forPrograms(), people, List.of());
  }

  private static List<Column<MethodSummary>> forPrograms() {
    List<Column<MethodSummary>> columns = new ArrayList<>(Columns.method(MethodSummary::method));
    columns.add(
        Column.number(
            "thread",
            "thread",
            "number of the thread",
            ofThread(thread -> (long) thread.thread())));
    columns.add(
        Column.text(
            "thread_name",
            "thread",
            "name of the thread",
            ofThread(thread -> thread.definition().name())));
    columns.addAll(List.of(CALLS, TOTAL, SELF, AVERAGE, P50, P99, MAX));
    columns.add(Columns.atLeast(MethodSummary::timeAtLeast));
    columns.add(
        Column.count(
            "counted", "counted", "calls not recorded one by one", MethodSummary::counted));
    columns.addAll(CORRECTED);
    columns.add(
        Column.flag(
            "estimated",
            "estimated",
            "whether times of counted calls are estimates",
            MethodSummary::estimated));
    columns.add(
        Column.flag(
            "left_out", "left out", "whether it was, for some time", MethodSummary::leftOut));
    columns.add(LONGEST);
    columns.add(self("weaving", "Kymo put probes into classes", SelfTime::weaving));
    columns.add(self("waiting", "waiting, as the program reports", SelfTime::waiting));
    columns.add(self("stopped", "stopped by the virtual machine", SelfTime::stopped));
    columns.add(self("blocked", "waiting, as the kernel reports", SelfTime::blocked));
    columns.add(self("runnable", "without a processor", SelfTime::runnable));
    columns.add(self("loading", "loading classes", SelfTime::loading));
    columns.add(self("running", "running", SelfTime::running));
    columns.add(
        Column.number(
            "longest_thread",
            "thread",
            "number of the thread of the longest",
            ofLongest(longest -> (long) longest.thread().thread())));
    columns.add(
        Column.moment(
            "longest_begin",
            "at",
            "when the longest began",
            ofLongest(MethodSummary.LongestRecorded::begin)));
    return columns;
  }

  private static Column<MethodSummary> time(
      String id, String label, String meaning, ToLongFunction<MethodSummary> value) {
    return Column.nanos(id, label, meaning, value)
        .atLeast(MethodSummary::timeAtLeast)
        .estimatedWhere(MethodSummary::estimated);
  }

  private static Column<MethodSummary> corrected(
      String id, String label, String meaning, ToLongFunction<CorrectedTimes> value) {
    return Column.<MethodSummary>nanos(
            id, label, meaning, row -> value.applyAsLong(row.corrected().orElseThrow()))
        .where(row -> row.corrected().isPresent(), "");
  }

  private static Column<MethodSummary> self(
      String part, String meaning, ToLongFunction<SelfTime> value) {
    return Column.nanos(
        "self_" + part,
        "self " + part,
        "of self: " + meaning,
        row -> value.applyAsLong(row.selfTime()));
  }

  private static <T> Function<MethodSummary, @Nullable T> ofThread(
      Function<ThreadCalls, @Nullable T> fact) {
    return row -> row.thread().map(fact).orElse(null);
  }

  private static <T> Function<MethodSummary, @Nullable T> ofLongest(
      Function<MethodSummary.LongestRecorded, @Nullable T> fact) {
    return row -> row.longest().map(fact).orElse(null);
  }

  private static String id(MethodSummary.LongestRecorded call) {
    ThreadCalls thread = call.thread();
    return TimeText.call(thread.process(), thread.thread(), call.depth(), call.begin());
  }

  private static String thread(MethodSummary row) {
    return row.thread().map(thread -> " @ " + ThreadNames.of(thread)).orElse("");
  }

  private static @Nullable Double countedShare(List<MethodSummary> rows) {
    long counted = rows.stream().mapToLong(MethodSummary::counted).sum();
    long calls = rows.stream().mapToLong(MethodSummary::calls).sum();
    return counted == 0 ? null : (double) counted / calls;
  }

  /** Total times contain each other and cannot be added: only self times can. */
  private static String sumOf(List<MethodSummary> rows, boolean perThread) {
    long processes = rows.stream().map(row -> row.method().process()).distinct().count();
    String of = processes > 1 ? " of %d processes".formatted(processes) : "";
    return perThread
        ? "sum of " + Quantity.of(rows.size(), "row") + of
        : "sum of " + Quantity.of(rows.size(), "method") + of + ", all their threads added";
  }
}
