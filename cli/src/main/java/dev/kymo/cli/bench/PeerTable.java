package dev.kymo.cli.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.bench.peer.Peer;
import dev.kymo.bench.peer.PeerResults;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Locale;
import java.util.Map;

/** Shows what recording a call costs with Kymo and with its peers. */
final class PeerTable {
  private final PeerResults results;

  PeerTable(PeerResults results) {
    this.results = results;
  }

  /** The table for people. */
  void write(Terminal terminal) {
    terminal.line("");
    terminal.line(
        "Recording to disk the calls of one small method, %d in each of %s"
            .formatted(
                Peer.ALL_CALLS, results.turns() == 0 ? "no turns" : results.turns() + " turns"));
    TextTable table = new TextTable();
    table.row("ns per event", "recorded", "lost", "bytes per event", "tool");
    for (PeerResults.Row row : results.rows()) {
      table.row(
          decimal(row.nanosPerEvent()),
          Long.toString(row.events()),
          Long.toString(row.lost()),
          decimal(row.bytes()),
          row.tool());
    }
    table.write(terminal);
    results.skipped().forEach((peer, why) -> terminal.line("skipped " + peer + ": " + why));
  }

  /** The same as a JSON array. */
  String json() throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartArray();
      for (PeerResults.Row row : results.rows()) {
        json.writeStartObject();
        json.writeStringField("tool", row.tool());
        json.writeNumberField("ns_per_event", Double.parseDouble(decimal(row.nanosPerEvent())));
        json.writeNumberField("events", row.events());
        json.writeNumberField("lost", row.lost());
        json.writeNumberField("bytes_per_event", Double.parseDouble(decimal(row.bytes())));
        json.writeEndObject();
      }
      for (Map.Entry<String, String> entry : results.skipped().entrySet()) {
        json.writeStartObject();
        json.writeStringField("tool", entry.getKey());
        json.writeStringField("skipped", entry.getValue());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    return text.toString();
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
