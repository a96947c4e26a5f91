package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.cause.CausePart;
import dev.kymo.analysis.cause.CauseSplit;
import dev.kymo.analysis.cause.ThreadUse;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** {@code /api/threads}: what each thread did, and why it did not run. */
public final class ThreadsAnswer {
  private ThreadsAnswer() {}

  public static Jobs.Work of(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    return progress -> {
      long to = Math.min(selection.to(), timeline.duration());
      List<ThreadUse> all = ThreadUse.of(timeline, selection.from(), to, progress);
      return json -> write(json, all);
    };
  }

  private static void write(JsonGenerator json, List<ThreadUse> all) throws IOException {
    json.writeStartObject();
    new Columns<>(json, all)
        .ints("track", ThreadUse::track)
        .ints("scheduled", use -> use.scheduled() ? 1 : 0)
        .numbers("time", use -> use.split().duration())
        .numbers("waited", ThreadUse::waited)
        .ints("atLeast", use -> use.atLeast() ? 1 : 0)
        .numbers("onCpu", of(CauseSplit::onCpu))
        .numbers("interrupted", of(CauseSplit::interrupted))
        .numbers("runnable", of(CauseSplit::runnable))
        .numbers("blocked", of(CauseSplit::blocked))
        .numbers("unknown", of(CauseSplit::unknown));
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

  private static ToLongFunction<ThreadUse> of(ToLongFunction<CauseSplit> time) {
    return use -> time.applyAsLong(use.split());
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
