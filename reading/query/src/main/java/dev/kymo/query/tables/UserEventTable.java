package dev.kymo.query.tables;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.format.EventFields;
import dev.kymo.format.FieldType;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.EventBatch;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** One kind of user events, with a column for each field. */
final class UserEventTable extends HistoryTable {
  private static final List<SqlColumn> HEAD =
      List.of(SqlColumn.PROCESS, SqlColumn.THREAD, SqlColumn.TIME);

  private final String group;
  private final List<EventFields.Field> fields;

  /** Place of the field that says which stack it is, as text; -1 = there is none. */
  private final int stack;

  private final Set<Integer> numbers;

  /**
   * A table of events with the same name and the same fields.
   *
   * @param event one of them
   * @param numbers of all of them
   */
  UserEventTable(ExportSource source, TracedEvent event, Set<Integer> numbers) {
    super(
        source, RecordedTables.name(event).name(), EnumSet.allOf(TrackKind.class), columns(event));
    this.group = RecordedTables.name(event).group();
    this.fields = event.fields().list();
    this.stack = event.stackField();
    this.numbers = numbers;
  }

  private static List<SqlColumn> columns(TracedEvent event) {
    List<SqlColumn> columns = new ArrayList<>(HEAD);
    List<EventFields.Field> fields = event.fields().list();
    for (int i = 0; i < fields.size(); i++) {
      FieldType type = fields.get(i).type();
      SqlType wanted = i == event.stackField() ? SqlType.TEXT : type(type);
      columns.add(new SqlColumn(fields.get(i).name(), wanted, type.word()));
    }
    if (fields.isEmpty()) {
      columns.add(new SqlColumn("argument", SqlType.LONG, "what the program gave; 0 = nothing"));
    }
    return Names.distinct(columns);
  }

  private static SqlType type(FieldType type) {
    return switch (type) {
      case U64 -> SqlType.UNSIGNED;
      case U8, U16, U32, I8, I16, I32, I64 -> SqlType.LONG;
      case F32, F64 -> SqlType.DOUBLE;
      case BOOL -> SqlType.BOOLEAN;
      case STR, BYTES -> SqlType.TEXT;
    };
  }

  @Override
  public String group() {
    return group;
  }

  @Override
  long rows(ExportTrack track) {
    return track.thread().counts().own();
  }

  @Override
  CallSink into(Rows rows) {
    return events(
        event -> numbers.contains(event.number()),
        (owner, time, event, batch, word) -> {
          rows.put(owner.process()).put(owner.thread().thread()).put(time);
          put(event, batch, word, rows);
          rows.end();
        });
  }

  private void put(TracedEvent event, EventBatch batch, int word, Rows rows) {
    if (fields.isEmpty()) {
      boolean plain = EventBatch.id(word) == ThreadRecord.EVENT;
      rows.put(plain ? batch.argument(word) : 0);
      return;
    }
    List<Object> values = stack < 0 ? event.values(batch, word) : event.namedValues(batch, word);
    for (int i = 0; i < fields.size(); i++) {
      FieldType type = fields.get(i).type();
      if (i < values.size()) {
        put(i == stack ? FieldType.STR : type, values.get(i), rows);
      } else {
        missing(i == stack ? FieldType.STR : type, rows);
      }
    }
  }

  private static void put(FieldType type, Object value, Rows rows) {
    switch (type(type)) {
      case TEXT -> rows.put(EventFields.text(type, value));
      case DOUBLE -> rows.put(((Number) value).doubleValue());
      case BOOLEAN -> rows.put((boolean) value);
      default -> rows.put(((Number) value).longValue());
    }
  }

  /** The event ended before this field. */
  private static void missing(FieldType type, Rows rows) {
    switch (type(type)) {
      case TEXT -> rows.put((String) null);
      case DOUBLE -> rows.put(Double.NaN);
      case UNSIGNED -> rows.put(0L);
      default -> rows.put(Rows.NULL);
    }
  }
}
