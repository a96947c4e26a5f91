package dev.kymo.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What recording a call costs with Kymo and with the tools that are on this machine. */
final class PeerTable {
  private final Map<Peer, List<Peer.Outcome>> outcomes = new LinkedHashMap<>();
  private final Map<Peer, String> skipped = new LinkedHashMap<>();

  /** Lets the peers take turns. One that fails is out, with its reason. */
  static PeerTable measure(List<Peer> peers, int turns) throws IOException, InterruptedException {
    PeerTable table = new PeerTable();
    for (Peer peer : peers) {
      String missing = peer.missing();
      if (missing.isEmpty()) {
        table.outcomes.put(peer, new ArrayList<>());
      } else {
        table.skipped.put(peer, missing);
      }
    }
    for (int turn = 0; turn < turns; turn++) {
      for (Peer peer : List.copyOf(table.outcomes.keySet())) {
        table.measure(peer);
      }
    }
    return table;
  }

  private void measure(Peer peer) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("kymo-bench-");
    try {
      outcomes.getOrDefault(peer, List.of()).add(peer.measure(folder));
    } catch (IOException e) {
      outcomes.remove(peer);
      skipped.put(peer, String.valueOf(e.getMessage()));
    } finally {
      ChildCommand.delete(folder);
    }
  }

  /** A row for each peer. */
  private record Row(String tool, double nanosPerEvent, long events, long lost, double bytes) {
    static Row of(Peer peer, List<Peer.Outcome> outcomes) {
      int perCall = peer.eventsPerCall();
      long expected = perCall * Peer.ALL_CALLS * outcomes.size();
      long events = outcomes.stream().mapToLong(Peer.Outcome::events).sum();
      long bytes = outcomes.stream().mapToLong(Peer.Outcome::bytes).sum();
      return new Row(
          peer.name(),
          median(outcomes, o -> (o.recorded() - o.plain()) / perCall),
          events,
          expected - events,
          events == 0 ? 0 : (double) bytes / events);
    }
  }

  private static double median(List<Peer.Outcome> outcomes, ToDoubleFunction<Peer.Outcome> value) {
    double[] sorted = outcomes.stream().mapToDouble(value).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private List<Row> rows() {
    return outcomes.entrySet().stream().map(e -> Row.of(e.getKey(), e.getValue())).toList();
  }

  /** The table for people. */
  void write(Terminal terminal) {
    terminal.line("");
    terminal.line(
        "Recording to disk the calls of one small method, %d in each of %s"
            .formatted(Peer.ALL_CALLS, outcomes.isEmpty() ? "no turns" : turns() + " turns"));
    TextTable table = new TextTable();
    table.row("ns per event", "recorded", "lost", "bytes per event", "tool");
    for (Row row : rows()) {
      table.row(
          decimal(row.nanosPerEvent),
          Long.toString(row.events),
          Long.toString(row.lost),
          decimal(row.bytes),
          row.tool);
    }
    table.write(terminal);
    skipped.forEach((peer, why) -> terminal.line("skipped " + peer.name() + ": " + why));
  }

  private int turns() {
    return outcomes.values().iterator().next().size();
  }

  /** The same as a JSON array. */
  String json() throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartArray();
      for (Row row : rows()) {
        json.writeStartObject();
        json.writeStringField("tool", row.tool);
        json.writeNumberField("ns_per_event", Double.parseDouble(decimal(row.nanosPerEvent)));
        json.writeNumberField("events", row.events);
        json.writeNumberField("lost", row.lost);
        json.writeNumberField("bytes_per_event", Double.parseDouble(decimal(row.bytes)));
        json.writeEndObject();
      }
      for (Map.Entry<Peer, String> entry : skipped.entrySet()) {
        json.writeStartObject();
        json.writeStringField("tool", entry.getKey().name());
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
