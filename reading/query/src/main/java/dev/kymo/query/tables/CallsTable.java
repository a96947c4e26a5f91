package dev.kymo.query.tables;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TrackKind;
import java.util.EnumSet;
import java.util.List;

/** The calls of threads. */
final class CallsTable extends HistoryTable {
  private static final List<Column> COLUMNS =
      List.of(
          Column.PROCESS,
          Column.THREAD,
          new Column("call", ColumnType.LONG, "number among the thread's calls, by their begins"),
          new Column("parent", ColumnType.LONG, "the call that made it; NULL = it is outermost"),
          new Column("method", ColumnType.INT, "its method"),
          new Column("depth", ColumnType.INT, "how many calls are around it"),
          Column.BEGIN,
          Column.FINISH,
          new Column("self", ColumnType.LONG, "ns without the calls that it made"),
          new Column("children", ColumnType.LONG, "calls that it made itself"),
          new Column("below", ColumnType.LONG, "calls that it and those made"),
          new Column("flags", ColumnType.INT, "what is known of its ends"));

  CallsTable(ExportSource source) {
    super(source, "calls", EnumSet.of(TrackKind.CALLS), COLUMNS);
  }

  @Override
  long rows(ExportTrack track) {
    return track.thread().counts().calls();
  }

  @Override
  CallSink into(Rows rows, boolean[] wanted) {
    return spans((call, begin, finish, clock) -> put(rows, call, begin, finish, clock));
  }

  private static void put(Rows rows, CallCursor call, long begin, long end, NanoClock clock) {
    rows.put(call.thread().process()).put(call.thread().thread());
    rows.put(call.number()).put(call.depth() == 0 ? Rows.NULL : call.parent());
    rows.put(call.method()).put(call.depth()).put(begin).put(end);
    rows.put(nearest(clock, call.end() - call.begin() - call.childTime()));
    rows.put(call.children()).put(call.below()).put(call.flags()).end();
  }

  /** Rounded to the nearest nanosecond, so that sums of many are not too small. */
  private static long nearest(NanoClock clock, long ticks) {
    return (clock.duration(2 * ticks) + 1) / 2;
  }
}
