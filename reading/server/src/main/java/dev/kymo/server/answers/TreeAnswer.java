package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.tree.CallTree;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;

/** {@code /api/tree}: who called whom. */
public final class TreeAnswer {
  private TreeAnswer() {}

  public static Jobs.Work of(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    boolean up = query.flag("up");
    return progress -> {
      CallTree tree = CallTree.of(timeline, selection, up, progress);
      boolean atLeast = selection.lossy(timeline);
      return json -> {
        json.writeStartObject();
        write(json, tree, atLeast);
        json.writeEndObject();
      };
    };
  }

  static void write(JsonGenerator json, CallTree tree, boolean atLeast) throws IOException {
    json.writeBooleanField("atLeast", atLeast);
    json.writeNumberField("cut", tree.cut());
    new Columns<>(json, tree.rows())
        .ints("parent", CallTree.Row::parent)
        .ints("method", CallTree.Row::method)
        .numbers("calls", CallTree.Row::calls)
        .numbers("total", CallTree.Row::total)
        .numbers("self", CallTree.Row::self);
  }
}
