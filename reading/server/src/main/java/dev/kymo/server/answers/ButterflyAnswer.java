package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.tree.Butterfly;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.List;

/** {@code /api/butterfly}: who called one method, and what it called. */
public final class ButterflyAnswer {
  private static final int MAX_ROWS = 1000;

  private ButterflyAnswer() {}

  public static Jobs.Work of(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    int method = (int) query.number("method", 0, timeline.methods() - 1L);
    return progress -> {
      Butterfly butterfly = Butterfly.of(timeline, selection, method, progress);
      boolean atLeast = selection.lossy(timeline);
      return json -> {
        json.writeStartObject();
        json.writeBooleanField("atLeast", atLeast);
        json.writeNumberField("calls", butterfly.calls());
        json.writeNumberField("total", butterfly.total());
        json.writeNumberField("self", butterfly.self());
        json.writeNumberField("itself", butterfly.itself());
        side(json, "callers", butterfly.callers());
        side(json, "callees", butterfly.callees());
        json.writeEndObject();
      };
    };
  }

  private static void side(JsonGenerator json, String name, List<Butterfly.Row> rows)
      throws IOException {
    List<Butterfly.Row> most = rows.subList(0, Math.min(MAX_ROWS, rows.size()));
    json.writeObjectFieldStart(name);
    json.writeNumberField("cut", rows.size() - most.size());
    new Columns<>(json, most)
        .ints("method", Butterfly.Row::method)
        .numbers("calls", Butterfly.Row::calls)
        .numbers("total", Butterfly.Row::total);
    json.writeEndObject();
  }
}
