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
  private static final List<SqlColumn> COLUMNS =
      List.of(
          SqlColumn.PROCESS,
          SqlColumn.THREAD,
          new SqlColumn(
              "kind", SqlType.INT, "states, scheduled, jvm or cpu: whose states they are"),
          new SqlColumn("state", SqlType.INT, "what the thread did or waited for"),
          new SqlColumn("depth", SqlType.INT, "how many states are around it"),
          SqlColumn.BEGIN,
          SqlColumn.FINISH,
          new SqlColumn(
              "object", SqlType.LONG, "identity of what was waited for; NULL = not known"),
          new SqlColumn("by_process", SqlType.INT, "process of who let the thread go on"),
          new SqlColumn("by_thread", SqlType.INT, "who let the thread go on; NULL = not known"),
          new SqlColumn("flags", SqlType.INT, "what is known of its ends"));

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
