package dev.kymo.cli.diff;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.difference.AlignedRole;
import dev.kymo.analysis.difference.Choice;
import dev.kymo.analysis.difference.Difference;
import dev.kymo.analysis.difference.Drift;
import dev.kymo.analysis.difference.Finding;
import dev.kymo.analysis.difference.Gate;
import dev.kymo.analysis.difference.GateRule;
import dev.kymo.analysis.difference.Part;
import dev.kymo.analysis.difference.Side;
import dev.kymo.analysis.difference.paths.RecordedPaths;
import dev.kymo.analysis.difference.paths.ThreadRole;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Terminal;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Differences for programs; times are nanoseconds. */
final class DiffJson {
  private final JsonGenerator json;
  private final Compared compared;
  private final Difference difference;
  private final DiffWords words;

  DiffJson(JsonGenerator json, Compared compared) {
    this.json = json;
    this.compared = compared;
    this.difference = compared.difference();
    this.words = new DiffWords(difference);
  }

  static void write(Terminal terminal, Compared compared, int limit) throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartObject();
      new DiffJson(json, compared).fields(limit == 0 ? Integer.MAX_VALUE : limit);
      json.writeEndObject();
    }
    terminal.line("");
  }

  /** Writes the fields of an object that has begun. */
  void fields(int limit) throws IOException {
    recordings("base", Side.BASE);
    recordings("new", Side.NEW);
    drift(difference.drift());
    json.writeArrayFieldStart("threads");
    for (AlignedRole role : difference.roles()) {
      role(role);
    }
    json.writeEndArray();
    findings("findings", Choice.certain(difference), limit);
    findings("uncertain", Choice.uncertain(difference), limit);
    JsonFields.strings(
        json, "counted", difference.counted().stream().map(difference::name).sorted().toList());
    json.writeArrayFieldStart("gate");
    for (GateRule rule : compared.rules()) {
      gate(rule);
    }
    json.writeEndArray();
  }

  private void recordings(String name, Side side) throws IOException {
    json.writeArrayFieldStart(name);
    List<RecordedPaths> of = difference.recordings(side);
    for (int i = 0; i < of.size(); i++) {
      json.writeStartObject();
      json.writeStringField("recording", compared.paths(side).get(i).toString());
      json.writeNumberField("duration", of.get(i).duration());
      json.writeNumberField("events", of.get(i).events());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void drift(Drift drift) throws IOException {
    json.writeObjectFieldStart("drift");
    json.writeNumberField("factor", drift.factor());
    json.writeNumberField("methods", drift.methods());
    json.writeNumberField("margin", difference.margin());
    json.writeEndObject();
  }

  private void role(AlignedRole role) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", role.name());
    name("inBase", role.role(Side.BASE));
    name("inNew", role.role(Side.NEW));
    json.writeNumberField("base", Math.round(role.tree().base().total()));
    json.writeNumberField("new", Math.round(role.tree().fresh().total()));
    json.writeNumberField("threadsInBase", role.threads(Side.BASE));
    json.writeNumberField("threadsInNew", role.threads(Side.NEW));
    json.writeBooleanField("lossy", role.isLossy());
    json.writeEndObject();
  }

  private void name(String field, @Nullable ThreadRole role) throws IOException {
    if (role == null) {
      json.writeNullField(field);
    } else {
      json.writeStringField(field, role.text());
    }
  }

  private void findings(String name, List<Finding> findings, int limit) throws IOException {
    json.writeArrayFieldStart(name);
    for (Finding finding : findings.subList(0, Math.min(limit, findings.size()))) {
      json.writeStartObject();
      json.writeStringField("title", words.title(finding));
      json.writeStringField("method", difference.name(finding.key()));
      json.writeStringField("threads", finding.role().name());
      JsonFields.strings(
          json, "path", finding.where().path().stream().map(difference::name).toList());
      json.writeNumberField("paths", finding.places());
      json.writeNumberField("weight", Math.round(finding.weight()));
      json.writeArrayFieldStart("parts");
      for (Part part : finding.parts()) {
        part(part);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void part(Part part) throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", part.kind().name().toLowerCase(Locale.ROOT));
    json.writeStringField("text", words.text(part));
    json.writeStringField("of", difference.name(part.key()));
    json.writeNumberField("before", part.before());
    json.writeNumberField("after", part.after());
    json.writeNumberField("weight", Math.round(part.weight().value()));
    number("low", part.weight().low());
    number("high", part.weight().high());
    json.writeStringField("verdict", part.verdict().name().toLowerCase(Locale.ROOT));
    place("longestInBase", words.place(part.node(), Side.BASE));
    place("longestInNew", words.place(part.node(), Side.NEW));
    json.writeEndObject();
  }

  private void number(String name, double value) throws IOException {
    JsonFields.number(json, name, Double.isFinite(value), Math.round(value));
  }

  private void place(String name, Optional<String> place) throws IOException {
    if (place.isPresent()) {
      json.writeStringField(name, place.get());
    } else {
      json.writeNullField(name);
    }
  }

  private void gate(GateRule rule) throws IOException {
    List<Gate.Broken> broken =
        compared.gate().broken().stream().filter(one -> one.rule().equals(rule)).toList();
    json.writeStartObject();
    json.writeStringField("rule", rule.text());
    json.writeBooleanField("holds", broken.isEmpty());
    JsonFields.strings(
        json, "broken", broken.stream().map(one -> GateText.text(difference, one)).toList());
    json.writeEndObject();
  }
}
