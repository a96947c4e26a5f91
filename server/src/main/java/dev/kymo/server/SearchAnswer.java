package dev.kymo.server;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.NamePattern;
import dev.kymo.analysis.Search;
import dev.kymo.analysis.Selection;
import dev.kymo.model.Timeline;
import java.io.IOException;
import java.util.BitSet;

/** {@code /api/search}: which methods match a pattern, and when they are called. */
final class SearchAnswer {
  private static final int MAX_METHODS = 1000;

  private SearchAnswer() {}

  static Jobs.Work of(Timeline timeline, Query query) {
    Selection selection = SelectionQuery.of(timeline, query);
    NamePattern pattern = NamePattern.of(query.text("pattern"));
    return progress -> {
      BitSet methods = pattern.methods(timeline, progress);
      Search search = Search.of(timeline, selection, methods, progress);
      return json -> write(json, methods, search);
    };
  }

  private static void write(JsonGenerator json, BitSet methods, Search search) throws IOException {
    json.writeStartObject();
    int[] named = methods.stream().limit(MAX_METHODS).toArray();
    json.writeFieldName("methods");
    json.writeArray(named, 0, named.length);
    json.writeNumberField("matching", methods.cardinality());
    json.writeNumberField("calls", search.calls());
    RecordingAnswer.time(json, "width", search.width());
    Columns.column(json, "marks", search.marks());
    json.writeEndObject();
  }
}
