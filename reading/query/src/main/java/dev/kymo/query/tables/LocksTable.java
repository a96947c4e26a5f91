package dev.kymo.query.tables;

import dev.kymo.analysis.locks.LockQuery;
import dev.kymo.analysis.locks.LockReport;
import dev.kymo.analysis.locks.LockRow;
import dev.kymo.analysis.locks.LockTimes;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.Selected;
import dev.kymo.model.calls.ProgressListener;
import java.util.List;

/** What happened to each lock, as {@code kymo report --locks} has it; reads the whole recording. */
final class LocksTable {
  private static final List<Column> COLUMNS =
      List.of(
          Column.PROCESS,
          new Column("kind", ColumnType.TEXT, "what it is: mutex, monitor, ..."),
          new Column("name", ColumnType.TEXT, "NULL = it has none"),
          new Column("address", ColumnType.UNSIGNED, "in its process; or the identity in Java"),
          new Column("acquired", ColumnType.LONG, "how often a thread got it; NULL = not known"),
          new Column("contended", ColumnType.LONG, "how many of those had to wait"),
          new Column("failed", ColumnType.LONG, "how often a thread did not get it"),
          new Column("waited", ColumnType.LONG, "ns, of all threads"),
          new Column("waited_p50", ColumnType.LONG, "ns, of waits; within 1.6 %"),
          new Column("waited_p99", ColumnType.LONG, "the same"),
          new Column("waited_max", ColumnType.LONG, "ns, the longest wait"),
          new Column(
              "held", ColumnType.LONG, "ns from getting it to giving it back; NULL = not known"),
          new Column("held_p50", ColumnType.LONG, "the same of one hold; within 1.6 %"),
          new Column("held_p99", ColumnType.LONG, "the same"),
          new Column("held_max", ColumnType.LONG, "ns, the longest hold"),
          new Column("threads", ColumnType.INT, "that used it; in Java, that waited for it"),
          new Column(
              "longest_thread", ColumnType.INT, "which waited longest; NULL = nobody waited"),
          new Column("longest_begin", ColumnType.LONG, "when that wait began"),
          new Column("held_at_end", ColumnType.LONG, "times"),
          new Column("waiting_at_end", ColumnType.LONG, "threads"),
          new Column("at_least", ColumnType.BOOLEAN, "events of its threads were lost"));

  private LocksTable() {}

  static Table of(ExportSource source, long rows) {
    return new SmallTable("locks", rows, COLUMNS, to -> fill(source, to));
  }

  private static void fill(ExportSource source, Rows to) {
    Selected selected = source.selected();
    LockQuery all =
        new LockQuery(selected.from(), selected.to(), selected.threads(), object -> true, 0);
    for (LockRow row : LockReport.rows(source.pass().recording(), all, ProgressListener.NONE)) {
      boolean whole = row.kind().isWhole();
      to.put(row.process()).put(row.kind().word());
      to.put(row.name().isEmpty() ? null : row.name()).put(row.address());
      to.put(whole ? row.acquired() : Rows.NULL).put(row.contended()).put(row.failed());
      times(row.waits(), true, to);
      times(row.holds(), whole, to);
      to.put(row.threads());
      to.put(row.longest().map(longest -> (long) longest.thread().thread()).orElse(Rows.NULL));
      to.put(row.longest().map(LockRow.Longest::begin).orElse(Rows.NULL));
      to.put(row.kept()).put(row.open()).put(row.atLeast()).end();
    }
  }

  private static void times(LockTimes times, boolean known, Rows to) {
    long[] all = {times.total(), times.p50(), times.p99(), times.max()};
    for (long time : all) {
      to.put(known ? time : Rows.NULL);
    }
  }
}
