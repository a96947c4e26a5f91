package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.events.NamedEvents;
import dev.kymo.analysis.names.NamePattern;
import dev.kymo.analysis.search.Search;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;

/**
 * {@code /api/search}: which methods and events of the program's own match a pattern, and when they
 * are called or come.
 */
public final class SearchAnswer {
  private static final int MAX_METHODS = 1000;

  private SearchAnswer() {}

  public static Jobs.Work of(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    NamePattern pattern = NamePattern.of(query.text("pattern"));
    return progress -> {
      BitSet methods = pattern.methods(timeline, progress);
      BitSet calls = NamedEvents.calls(timeline, methods);
      Search search = Search.of(timeline, selection, calls, progress);
      BitSet kinds = NamedEvents.kinds(timeline, methods);
      NamedEvents events = NamedEvents.of(timeline, selection, kinds, progress);
      return json -> write(json, methods, search, events);
    };
  }

  private static void write(JsonGenerator json, BitSet methods, Search search, NamedEvents events)
      throws IOException {
    json.writeStartObject();
    int[] named = methods.stream().limit(MAX_METHODS).toArray();
    json.writeFieldName("methods");
    json.writeArray(named, 0, named.length);
    json.writeNumberField("matching", methods.cardinality());
    json.writeNumberField("calls", search.calls());
    json.writeNumberField("events", events.count());
    Answers.time(json, "width", search.width());
    long[] marks = search.marks().clone();
    Arrays.setAll(marks, i -> marks[i] + events.marks()[i]);
    Columns.column(json, "marks", marks);
    json.writeEndObject();
  }
}
