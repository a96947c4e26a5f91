package dev.kymo.cli.diff;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.difference.Gate;
import dev.kymo.analysis.difference.GateRule;
import dev.kymo.analysis.difference.Side;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.server.difference.DifferenceJson;
import dev.kymo.server.difference.DifferencePage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Differences for programs and for the page; times are nanoseconds. */
final class DiffJson {
  private final Compared compared;

  private DiffJson(Compared compared) {
    this.compared = compared;
  }

  static void write(Terminal terminal, Compared compared, int limit) throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartObject();
      fields(compared).write(json, limit == 0 ? Integer.MAX_VALUE : limit);
      new DiffJson(compared).gates(json);
      json.writeEndObject();
    }
    terminal.line("");
  }

  /** Writes a page that needs no other file. */
  static void page(Compared compared, Path to) throws IOException {
    DifferencePage.write(fields(compared), new DiffJson(compared)::gates, to);
  }

  private static DifferenceJson fields(Compared compared) {
    return new DifferenceJson(
        compared.difference(), names(compared, Side.BASE), names(compared, Side.NEW));
  }

  private static List<String> names(Compared compared, Side side) {
    return compared.paths(side).stream().map(Path::toString).toList();
  }

  private void gates(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("gate");
    for (GateRule rule : compared.rules()) {
      gate(json, rule);
    }
    json.writeEndArray();
  }

  private void gate(JsonGenerator json, GateRule rule) throws IOException {
    List<Gate.Broken> broken =
        compared.gate().broken().stream().filter(one -> one.rule().equals(rule)).toList();
    json.writeStartObject();
    json.writeStringField("rule", rule.text());
    json.writeBooleanField("holds", broken.isEmpty());
    JsonFields.strings(
        json,
        "broken",
        broken.stream().map(one -> GateText.text(compared.difference(), one)).toList());
    json.writeEndObject();
  }
}
