package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.cause.CausePart;
import dev.kymo.analysis.cause.ThreadUse;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import dev.kymo.tables.Table;
import dev.kymo.tables.ThreadsTable;
import java.io.IOException;
import java.util.List;
import java.util.function.ToIntFunction;

/** {@code /api/threads}: what each thread did, and why it did not run. */
public final class ThreadsAnswer {
  private ThreadsAnswer() {}

  public static Jobs.Work of(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    return progress -> {
      long to = Math.min(selection.to(), timeline.duration());
      List<ThreadUse> all = ThreadUse.of(timeline, selection.from(), to, progress);
      return json -> write(json, ThreadsTable.ofUses(timeline.recordedStates()), all);
    };
  }

  private static void write(JsonGenerator json, Table<ThreadUse> table, List<ThreadUse> all)
      throws IOException {
    json.writeStartObject();
    TableAnswer.write(json, table, all);
    new Columns<>(json, all).ints("track", ThreadUse::track);
    reasons(json, all, "method", CausePart::method);
    reasons(json, all, "other", CausePart::other);
    json.writeArrayFieldStart("reasonTime");
    for (ThreadUse use : all) {
      json.writeStartArray();
      for (CausePart part : use.why()) {
        json.writeNumber(part.time());
      }
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void reasons(
      JsonGenerator json, List<ThreadUse> all, String name, ToIntFunction<CausePart> fact)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (ThreadUse use : all) {
      json.writeStartArray();
      for (CausePart part : use.why()) {
        json.writeNumber(fact.applyAsInt(part));
      }
      json.writeEndArray();
    }
    json.writeEndArray();
  }
}
