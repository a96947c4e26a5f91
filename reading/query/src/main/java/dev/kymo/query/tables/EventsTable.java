package dev.kymo.query.tables;

import dev.kymo.exporters.source.EventData;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.definitions.TrackKind;
import java.util.EnumSet;
import java.util.List;

/** User events, or the values of counters. */
final class EventsTable extends HistoryTable {
  private static final List<SqlColumn> HEAD =
      List.of(
          SqlColumn.PROCESS,
          SqlColumn.THREAD,
          SqlColumn.TIME,
          new SqlColumn("event", SqlType.INT, "number of the event, among those of methods"));

  private final boolean counters;

  private EventsTable(ExportSource source, String name, boolean counters, SqlColumn last) {
    super(source, name, EnumSet.allOf(TrackKind.class), with(last));
    this.counters = counters;
  }

  private static List<SqlColumn> with(SqlColumn last) {
    return List.of(HEAD.get(0), HEAD.get(1), HEAD.get(2), HEAD.get(3), last);
  }

  /** All user events but counters. */
  static EventsTable events(ExportSource source) {
    return new EventsTable(
        source,
        "events",
        false,
        new SqlColumn("data", SqlType.TEXT, "its fields, as kymo print has them"));
  }

  /** The values of counters. */
  static EventsTable counters(ExportSource source) {
    return new EventsTable(
        source, "counters", true, new SqlColumn("value", SqlType.DOUBLE, "the counter's value"));
  }

  @Override
  long rows(ExportTrack track) {
    return track.thread().counts().own();
  }

  @Override
  CallSink into(Rows rows) {
    boolean data = rows.wants(HEAD.size());
    return events(
        event -> event.isCounter() == counters,
        (owner, time, event, batch, word) -> {
          rows.put(owner.process()).put(owner.thread().thread()).put(time).put(event.number());
          if (counters) {
            rows.put(data ? EventData.of(event, batch, word).number().doubleValue() : 0);
          } else {
            rows.put(data ? EventData.of(event, batch, word).text() : null);
          }
          rows.end();
        });
  }
}
