package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.events.EventReport;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.format.EventKind;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The report about events of the programs' own, in each format. */
final class UserEventTable {
  private final Terminal terminal;
  private final List<EventReport.Row> rows;
  private final List<String> oddities;

  /**
   * A table.
   *
   * @param oddities of the recording
   */
  UserEventTable(Terminal terminal, List<EventReport.Row> rows, List<String> oddities) {
    this.terminal = terminal;
    this.oddities = oddities;
    this.rows = rows;
  }

  void writeText() {
    TextTable table = new TextTable();
    table.row("count", "kind", "event");
    for (EventReport.Row row : rows) {
      String count = Long.toString(row.count());
      table.row(count, kind(row), (row.event().qualifiedName() + "  " + facts(row)).strip());
    }
    table.write(terminal);
  }

  private static String kind(EventReport.Row row) {
    int kind = row.event().kind();
    String word = EventKind.word(kind);
    return word.isEmpty() ? Integer.toString(kind) : word;
  }

  private static String facts(EventReport.Row row) {
    if (row.hasValues()) {
      return "%s to %s, last %s"
          .formatted(number(row.min()), number(row.max()), number(row.last()));
    }
    List<Long> latencies = row.latencies();
    if (latencies.isEmpty()) {
      return EventKind.SEND.is(row.event().kind()) ? "none received" : "";
    }
    return "%d received, after p50 %s, max %s"
        .formatted(latencies.size(), time(middle(latencies)), time(latencies.getLast()));
  }

  private static long middle(List<Long> latencies) {
    return latencies.get(latencies.size() / 2);
  }

  private static String time(long nanos) {
    return nanos < 0 ? "-" + Nanos.text(-nanos) : Nanos.text(nanos);
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.6g", value);
  }

  void writeCsv() {
    terminal.line(
        "event,kind,subsystem_id,event_id,process,count,min,max,last,received,p50_ns,max_ns");
    for (EventReport.Row row : rows) {
      boolean values = row.hasValues();
      boolean sent = !row.latencies().isEmpty();
      terminal.csv(
          row.event().qualifiedName(),
          kind(row),
          row.event().subsystem().id(),
          row.event().definition().id(),
          process(row),
          row.count(),
          values ? number(row.min()) : "",
          values ? number(row.max()) : "",
          values ? number(row.last()) : "",
          sent ? row.latencies().size() : "",
          sent ? middle(row.latencies()) : "",
          sent ? row.latencies().getLast() : "");
    }
  }

  private static int process(EventReport.Row row) {
    return row.event().process();
  }

  void writeJson() throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartObject();
      json.writeArrayFieldStart("events");
      for (EventReport.Row row : rows) {
        write(json, row);
      }
      json.writeEndArray();
      JsonFields.strings(json, "oddities", oddities);
      json.writeEndObject();
    }
    terminal.line("");
  }

  private static void write(JsonGenerator json, EventReport.Row row) throws IOException {
    json.writeStartObject();
    json.writeStringField("event", row.event().qualifiedName());
    json.writeStringField("kind", kind(row));
    json.writeNumberField("subsystemId", row.event().subsystem().id());
    json.writeNumberField("eventId", row.event().definition().id());
    json.writeNumberField("process", process(row));
    json.writeNumberField("count", row.count());
    if (row.hasValues()) {
      json.writeNumberField("min", row.min());
      json.writeNumberField("max", row.max());
      json.writeNumberField("last", row.last());
    }
    if (!row.latencies().isEmpty()) {
      json.writeNumberField("received", row.latencies().size());
      json.writeNumberField("p50", middle(row.latencies()));
      json.writeNumberField("longest", row.latencies().getLast());
    }
    json.writeEndObject();
  }
}
