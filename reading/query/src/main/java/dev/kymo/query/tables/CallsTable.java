package dev.kymo.query.tables;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TrackKind;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The calls of threads. There are so many that only the columns that are wanted are looked at: a
 * row takes as long as reading its call.
 */
final class CallsTable extends HistoryTable {
  private static final int THE_PROCESS = 0;
  private static final int THE_THREAD = 1;
  private static final int CALL = 2;
  private static final int PARENT = 3;
  private static final int METHOD = 4;
  private static final int DEPTH = 5;
  private static final int BEGIN = 6;
  private static final int FINISH = 7;
  private static final int SELF = 8;
  private static final int CHILDREN = 9;
  private static final int BELOW = 10;
  private static final int FLAGS = 11;

  private static final List<SqlColumn> COLUMNS =
      List.of(
          SqlColumn.PROCESS,
          SqlColumn.THREAD,
          new SqlColumn("call", SqlType.LONG, "number among the thread's calls, by their begins"),
          new SqlColumn("parent", SqlType.LONG, "the call that made it; NULL = it is outermost"),
          new SqlColumn("method", SqlType.INT, "its method"),
          new SqlColumn("depth", SqlType.INT, "how many calls are around it"),
          SqlColumn.BEGIN,
          SqlColumn.FINISH,
          new SqlColumn("self", SqlType.LONG, "ns without the calls that it made"),
          new SqlColumn("children", SqlType.LONG, "calls that it made itself"),
          new SqlColumn("below", SqlType.LONG, "calls that it and those made"),
          new SqlColumn("flags", SqlType.INT, "what is known of its ends"));

  CallsTable(ExportSource source) {
    super(source, "calls", EnumSet.of(TrackKind.CALLS), COLUMNS);
  }

  @Override
  long rows(ExportTrack track) {
    return track.thread().counts().calls();
  }

  @Override
  CallSink into(Rows rows) {
    int[] wanted = IntStream.range(0, COLUMNS.size()).filter(rows::wants).toArray();
    return spans((call, begin, finish, clock) -> {
      for (int column : wanted) {
        rows.set(column, value(column, call, begin, finish, clock));
      }
      rows.end();
    });
  }

  private static long value(int column, CallCursor call, long begin, long end, NanoClock clock) {
    return switch (column) {
      case THE_PROCESS -> call.thread().process();
      case THE_THREAD -> call.thread().thread();
      case CALL -> call.number();
      case PARENT -> call.depth() == 0 ? Rows.NULL : call.parent();
      case METHOD -> call.method();
      case DEPTH -> call.depth();
      case BEGIN -> begin;
      case FINISH -> end;
      case SELF -> nearest(clock, call.end() - call.begin() - call.childTime());
      case CHILDREN -> call.children();
      case BELOW -> call.below();
      case FLAGS -> call.flags();
      default -> throw new IllegalArgumentException("column=" + column);
    };
  }

  /** Rounded to the nearest nanosecond, so that sums of many are not too small. */
  private static long nearest(NanoClock clock, long ticks) {
    return (clock.duration(2 * ticks) + 1) / 2;
  }
}
