package dev.kymo.tables;

import dev.kymo.analysis.locks.LockRow;
import dev.kymo.analysis.locks.LockTimes;
import dev.kymo.analysis.names.ThreadNames;
import dev.kymo.analysis.names.TimeText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What happened to each lock, and to whatever else threads wait for at one another. */
public final class LocksTable {
  private static final Column<LockRow> OBJECT =
      Column.text("object", "object", "kind and name; without a name the address", LockRow::label);
  private static final Column<LockRow> PROCESS = Columns.process(LockRow::process);
  private static final Column<LockRow> ACQUIRED =
      Column.count("acquired", "acquired", "how often a thread got it", LockRow::acquired)
          .where(LocksTable::isWhole, Column.UNKNOWN)
          .atLeast(LockRow::atLeast);
  private static final Column<LockRow> CONTENDED =
      Column.count("contended", "contended", "how many of those had to wait", LockRow::contended)
          .atLeast(LockRow::atLeast);
  private static final Column<LockRow> THREADS =
      Column.count(
          "threads", "threads", "that used it; in Java, that waited for it", LockRow::threads);
  private static final List<Column<LockRow>> WAITS =
      times(
          "waited",
          "wait",
          "of all threads that waited for it",
          LockRow::waits,
          LocksTable::mayWaitLonger);
  private static final List<Column<LockRow>> HOLDS =
      times(
              "held",
              "hold",
              "from getting it to giving it back",
              LockRow::holds,
              LocksTable::mayBeHeldLonger)
          .stream()
          .map(column -> column.where(LocksTable::isWhole, Column.UNKNOWN))
          .toList();

  private LocksTable() {}

  private static boolean isWhole(LockRow row) {
    return row.kind().isWhole();
  }

  private static boolean mayWaitLonger(LockRow row) {
    return row.atLeast() || row.open() > 0;
  }

  private static boolean mayBeHeldLonger(LockRow row) {
    return row.atLeast() || row.kept() > 0;
  }

  /**
   * The table.
   *
   * @param processes how many the recording has: of one, people need no number
   */
  public static Table<LockRow> of(int processes) {
    return new Table<>(
        "locks",
        "what happened to each lock, semaphore, condition and barrier",
        forPrograms(),
        forPeople(processes > 1),
        List.of(
            new Table.Note<>(LockRow::atLeast, Table.LOST),
            new Table.Note<>(row -> row.kept() > 0, "≥ at least: locks were held at the end"),
            new Table.Note<>(row -> row.open() > 0, "≥ at least: threads waited at the end"),
            new Table.Note<>(
                row -> !isWhole(row),
                "? not known: of Java's locks only waits are recorded, not who took them without"
                    + " waiting, nor how long they were held")));
  }

  private static List<Column<LockRow>> forPrograms() {
    List<Column<LockRow>> columns = new ArrayList<>(List.of(OBJECT));
    columns.add(Column.text("kind", "kind", "such as mutex or monitor", row -> row.kind().word()));
    columns.add(
        Column.text("name", "name", "without the kind", LockRow::name)
            .where(row -> !row.name().isEmpty(), ""));
    columns.add(
        Column.address(
            "address", "address", "in its process; in Java, its identity", LockRow::address));
    columns.addAll(List.of(PROCESS, ACQUIRED, CONTENDED));
    columns.add(
        Column.count("failed", "failed", "how often a thread did not get it", LockRow::failed));
    columns.addAll(WAITS);
    columns.addAll(HOLDS);
    columns.add(THREADS);
    columns.add(
        Column.number(
            "longest_thread",
            "longest",
            "number of the thread that waited longest",
            ofLongest(longest -> (long) longest.thread().thread())));
    columns.add(
        Column.text(
            "longest_thread_name",
            "longest of",
            "name of the thread that waited longest",
            ofLongest(longest -> longest.thread().definition().name())));
    columns.add(
        Column.moment(
            "longest_begin", "at", "when that wait began", ofLongest(LockRow.Longest::begin)));
    columns.add(
        Column.count(
            "held_at_end", "still held", "how often it was held at the end", LockRow::kept));
    columns.add(
        Column.count(
            "waiting_at_end", "still waiting", "threads that waited at the end", LockRow::open));
    columns.add(
        Column.flag(
            "at_least", "at least", "whether events of its threads were lost", LockRow::atLeast));
    return columns;
  }

  private static List<Column<LockRow>> forPeople(boolean process) {
    List<Column<LockRow>> columns = new ArrayList<>(List.of(ACQUIRED, CONTENDED));
    columns.add(
        Column.share("", "of acquired", LockRow::contended, LockRow::acquired)
            .where(LocksTable::isWhole, ""));
    columns.addAll(unlessNone(WAITS, LockRow::waits, LocksTable::mayWaitLonger));
    columns.addAll(unlessNone(HOLDS, LockRow::holds, row -> !isWhole(row) || mayBeHeldLonger(row)));
    columns.add(THREADS);
    columns.add(
        Column.text(
            "",
            "longest wait of",
            "the thread, and when",
            ofLongest(longest ->
                ThreadNames.numbered(longest.thread().definition())
                    + " at "
                    + TimeText.seconds(longest.begin()))));
    if (process) {
      columns.add(PROCESS);
    }
    columns.add(OBJECT);
    return columns;
  }

  private static <T> Function<LockRow, @Nullable T> ofLongest(Function<LockRow.Longest, T> fact) {
    return row -> row.longest().map(fact).orElse(null);
  }

  /** The sum, and of single times what says how they differ, if there were any. */
  private static List<Column<LockRow>> times(
      String id,
      String one,
      String meaning,
      Function<LockRow, LockTimes> of,
      Predicate<LockRow> more) {
    Predicate<LockRow> any = row -> of.apply(row).max() > 0;
    return List.of(
        Column.<LockRow>nanos(id, id, meaning, row -> of.apply(row).total()).atLeast(more),
        Column.<LockRow>nanos(
                id + "_p50",
                "p50",
                "the median " + one + ", within 1.6 %",
                row -> of.apply(row).p50())
            .where(any, ""),
        Column.<LockRow>nanos(
                id + "_p99",
                "p99",
                "the " + one + " than which 99 % were shorter, within 1.6 %",
                row -> of.apply(row).p99())
            .where(any, ""),
        Column.<LockRow>nanos(id + "_max", "max", "the longest " + one, row -> of.apply(row).max())
            .where(any, "")
            .atLeast(more));
  }

  /** Nothing took no time. */
  private static List<Column<LockRow>> unlessNone(
      List<Column<LockRow>> times, Function<LockRow, LockTimes> of, Predicate<LockRow> said) {
    Column<LockRow> sum = times.getFirst().where(said.or(row -> of.apply(row).max() > 0), "");
    List<Column<LockRow>> columns = new ArrayList<>(times);
    columns.set(0, sum);
    return columns;
  }
}
