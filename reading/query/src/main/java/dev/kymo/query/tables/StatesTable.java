package dev.kymo.query.tables;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.definitions.TrackKind;
import java.util.List;
import java.util.Set;

/** What threads waited for, or what the kernel did with them, or what processors did. */
final class StatesTable extends HistoryTable {
  private static final List<Column> COLUMNS =
      List.of(
          Column.PROCESS,
          Column.THREAD,
          new Column(
              "kind", ColumnType.INT, "states, scheduled, jvm or cpu: whose states they are"),
          new Column("state", ColumnType.INT, "what the thread did or waited for"),
          new Column("depth", ColumnType.INT, "how many states are around it"),
          Column.BEGIN,
          Column.FINISH,
          new Column(
              "object", ColumnType.LONG, "identity of what was waited for; NULL = not known"),
          new Column("by_process", ColumnType.INT, "process of who let the thread go on"),
          new Column("by_thread", ColumnType.INT, "who let the thread go on; NULL = not known"),
          new Column("flags", ColumnType.INT, "what is known of its ends"));

  StatesTable(ExportSource source, String name, Set<TrackKind> kinds) {
    super(source, name, kinds, COLUMNS);
  }

  @Override
  long rows(ExportTrack track) {
    return track.thread().counts().calls();
  }

  @Override
  CallSink into(Rows rows) {
    return spans((call, begin, finish, clock) -> put(rows, call, begin, finish));
  }

  private void put(Rows rows, CallCursor call, long begin, long end) {
    ExportTrack track = source.track(call.thread());
    int object = call.hasDetail() ? call.object() : 0;
    int other = call.hasDetail() ? call.other() : 0;
    ExportTrack by = source.waker(track, other, call.flags()).map(source::owner).orElse(null);
    ExportTrack owner = source.owner(track);
    rows.put(owner.process())
        .put(owner.thread().thread())
        .put(RecordedTables.KINDS.indexOf(track.kind()));
    rows.put(call.method()).put(call.depth()).put(begin).put(end);
    rows.put(object == 0 ? Rows.NULL : Integer.toUnsignedLong(object));
    rows.put(by == null ? Rows.NULL : by.process());
    rows.put(by == null ? Rows.NULL : by.thread().thread());
    rows.put(call.flags()).end();
  }
}
