package dev.kymo.server.difference;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.difference.AlignedNode;
import dev.kymo.analysis.difference.AlignedRole;
import dev.kymo.analysis.difference.Choice;
import dev.kymo.analysis.difference.Difference;
import dev.kymo.analysis.difference.DifferenceWords;
import dev.kymo.analysis.difference.Drift;
import dev.kymo.analysis.difference.Finding;
import dev.kymo.analysis.difference.Part;
import dev.kymo.analysis.difference.Side;
import dev.kymo.analysis.difference.paths.RecordedPaths;
import dev.kymo.analysis.difference.paths.ThreadRole;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Differences as fields of a JSON object; times are nanoseconds. */
public final class DifferenceJson {
  /** Findings of either kind that a page shows. */
  private static final int SHOWN = 200;

  private final Difference difference;
  private final DifferenceWords words;
  private final List<String> base;
  private final List<String> fresh;
  private final PartFields more;

  /** Writes what else is said of a difference, as fields of its object. */
  @FunctionalInterface
  interface PartFields {
    /** Of calls by a path. */
    void write(JsonGenerator json, AlignedNode of) throws IOException;
  }

  /**
   * Of differences.
   *
   * @param base what the recordings of the base side are called, in their order
   * @param fresh the same of the new side
   */
  public DifferenceJson(Difference difference, List<String> base, List<String> fresh) {
    this(difference, base, fresh, (json, of) -> {});
  }

  DifferenceJson(Difference difference, List<String> base, List<String> fresh, PartFields more) {
    this.difference = difference;
    this.words = new DifferenceWords(difference);
    this.base = base;
    this.fresh = fresh;
    this.more = more;
  }

  /** Writes everything that a page shows: the heaviest differences, and trees for flame graphs. */
  void writeAll(JsonGenerator json) throws IOException {
    write(json, SHOWN);
    DifferenceTrees.write(json, difference);
  }

  /**
   * Writes the fields.
   *
   * @param limit differences at most, of those that are certain and of those that are not
   */
  public void write(JsonGenerator json, int limit) throws IOException {
    new Writer(json).write(limit);
  }

  /** One writing of it. */
  private final class Writer {
    private final JsonGenerator json;

    Writer(JsonGenerator json) {
      this.json = json;
    }

    void write(int limit) throws IOException {
      recordings("base", Side.BASE, base);
      recordings("new", Side.NEW, fresh);
      drift(difference.drift());
      json.writeArrayFieldStart("threads");
      for (AlignedRole role : difference.roles()) {
        role(role);
      }
      json.writeEndArray();
      findings("findings", Choice.certain(difference), limit);
      findings("uncertain", Choice.uncertain(difference), limit);
      strings("counted", difference.counted().stream().map(difference::name).sorted().toList());
    }

    private void recordings(String name, Side side, List<String> called) throws IOException {
      json.writeArrayFieldStart(name);
      List<RecordedPaths> of = difference.recordings(side);
      for (int i = 0; i < of.size(); i++) {
        json.writeStartObject();
        json.writeStringField("recording", called.get(i));
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
        strings("path", finding.where().path().stream().map(difference::name).toList());
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
      more.write(json, part.node());
      json.writeEndObject();
    }

    private void number(String name, double value) throws IOException {
      if (Double.isFinite(value)) {
        json.writeNumberField(name, Math.round(value));
      } else {
        json.writeNullField(name);
      }
    }

    private void place(String name, Optional<String> place) throws IOException {
      if (place.isPresent()) {
        json.writeStringField(name, place.get());
      } else {
        json.writeNullField(name);
      }
    }

    private void strings(String name, List<String> values) throws IOException {
      json.writeArrayFieldStart(name);
      for (String value : values) {
        json.writeString(value);
      }
      json.writeEndArray();
    }
  }
}
