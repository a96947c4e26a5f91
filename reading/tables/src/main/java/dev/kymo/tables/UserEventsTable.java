package dev.kymo.tables;

import dev.kymo.analysis.events.EventReport;
import dev.kymo.format.EventKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** How often each user event happened, and what counters and messages said. */
public final class UserEventsTable {
  private UserEventsTable() {}

  /** The table. */
  public static Table<EventReport.Row> of() {
    Column<EventReport.Row> event =
        Column.text("event", "event", "subsystem and name", row -> row.event().qualifiedName());
    Column<EventReport.Row> kind =
        Column.text("kind", "kind", "such as instant, counter or send", UserEventsTable::kind);
    Column<EventReport.Row> count =
        Column.count("count", "count", "how often it happened", EventReport.Row::count);
    List<Column<EventReport.Row>> figures =
        List.of(
            value("min", "the least value of a counter", EventReport.Row::min),
            value("max", "the greatest value of a counter", EventReport.Row::max),
            value("last", "the last value of a counter", EventReport.Row::last),
            Column.<EventReport.Row>count(
                    "received", "received", "messages that arrived", row -> row.latencies().size())
                .where(row -> EventKind.SEND.is(row.event().kind()), ""),
            latency(
                "latency_p50",
                "p50",
                "half of the messages took no longer",
                row -> row.latencies().get(row.latencies().size() / 2)),
            latency("latency_max", "longest", "of the messages", row -> row.latencies().getLast()));
    List<Column<EventReport.Row>> columns = new ArrayList<>(List.of(event, kind));
    columns.add(
        number("subsystem_id", "number of its subsystem", row -> row.event().subsystem().id()));
    columns.add(number("event_id", "its number in there", row -> row.event().definition().id()));
    columns.add(Columns.process(row -> row.event().process()));
    columns.add(count);
    columns.addAll(figures);
    List<Column<EventReport.Row>> people = new ArrayList<>(List.of(count, kind));
    people.addAll(figures);
    people.add(event);
    return new Table<>("events", "how often each user event happened", columns, people, List.of());
  }

  private static String kind(EventReport.Row row) {
    int kind = row.event().kind();
    String word = EventKind.word(kind);
    return word.isEmpty() ? Integer.toString(kind) : word;
  }

  private static Column<EventReport.Row> number(
      String id, String meaning, ToLongFunction<EventReport.Row> value) {
    return Column.number(id, id, meaning, value::applyAsLong);
  }

  private static Column<EventReport.Row> value(
      String id, String meaning, ToDoubleFunction<EventReport.Row> value) {
    return Column.<EventReport.Row>value(id, id, meaning, value::applyAsDouble)
        .where(EventReport.Row::hasValues, "");
  }

  private static Column<EventReport.Row> latency(
      String id, String label, String meaning, ToLongFunction<EventReport.Row> value) {
    return Column.nanos(id, label, meaning, value).where(row -> !row.latencies().isEmpty(), "");
  }
}
