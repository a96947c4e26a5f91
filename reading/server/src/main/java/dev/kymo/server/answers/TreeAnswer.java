package dev.kymo.server;

import dev.kymo.analysis.CallTree;
import dev.kymo.analysis.Selection;
import dev.kymo.model.Timeline;

/** {@code /api/tree}: who called whom. */
final class TreeAnswer {
  private TreeAnswer() {}

  static Jobs.Work of(Timeline timeline, Query query) {
    Selection selection = SelectionQuery.of(timeline, query);
    boolean up = query.flag("up");
    return progress -> {
      CallTree tree = CallTree.of(timeline, selection, up, progress);
      boolean atLeast = selection.lossy(timeline);
      return json -> {
        json.writeStartObject();
        json.writeBooleanField("atLeast", atLeast);
        json.writeNumberField("cut", tree.cut());
        new Columns<>(json, tree.rows())
            .ints("parent", CallTree.Row::parent)
            .ints("method", CallTree.Row::method)
            .numbers("calls", CallTree.Row::calls)
            .numbers("total", CallTree.Row::total)
            .numbers("self", CallTree.Row::self);
        json.writeEndObject();
      };
    };
  }
}
