package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.samples.SampleKind;
import dev.kymo.analysis.samples.SampleTree;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;

/** {@code /api/samples}: who called whom in samples. */
public final class SamplesAnswer {
  private SamplesAnswer() {}

  public static Jobs.Work of(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    SampleTree.Question question =
        new SampleTree.Question(
            new HashSet<>(List.of(query.text("kinds").split("\n", -1))),
            query.text("unit"),
            query.flag("up"));
    return progress -> {
      SampleTree answer = SampleTree.of(timeline, selection, question, progress);
      boolean atLeast = selection.lossy(timeline);
      return json -> {
        json.writeStartObject();
        json.writeObjectFieldStart("kinds");
        new Columns<>(json, answer.kinds())
            .texts("name", SampleTree.Kind::name)
            .numbers("samples", SampleTree.Kind::samples);
        json.writeEndObject();
        json.writeNumberField("unknown", answer.unknown());
        TreeAnswer.write(json, answer.tree(), atLeast);
        json.writeEndObject();
      };
    };
  }

  /** What samples the recording may have; nothing if it has none. */
  static void writeKinds(JsonGenerator json, Timeline timeline) throws IOException {
    List<SampleKind> kinds = SampleKind.of(timeline.events());
    if (kinds.isEmpty()) {
      return;
    }
    json.writeObjectFieldStart("samples");
    json.writeBooleanField("first", first(timeline));
    json.writeArrayFieldStart("kinds");
    for (SampleKind kind : kinds) {
      json.writeStartObject();
      json.writeStringField("name", kind.name());
      json.writeArrayFieldStart("units");
      for (String unit : kind.units()) {
        json.writeString(unit);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static boolean first(Timeline timeline) {
    List<Integer> calling =
        timeline.tracks().stream()
            .filter(track -> track.kind() == TrackKind.CALLS && track.calls() + track.counted() > 0)
            .map(Track::process)
            .toList();
    return SampleKind.sayMore(timeline.events(), calling);
  }
}
