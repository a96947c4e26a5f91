package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.cause.CallCause;
import dev.kymo.analysis.cause.CausePart;
import dev.kymo.analysis.cause.CauseSplit;
import dev.kymo.analysis.cause.Siblings;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** {@code /api/why}: what the time of one call went to. */
public final class WhyAnswer {
  /** Rows of each list; the smallest are left out. */
  private static final int MAX = 100;

  private WhyAnswer() {}

  public static Jobs.Work of(Timeline timeline, Query query) {
    int track = (int) query.number("track", 0, timeline.tracks().size() - 1L);
    int depth = (int) query.number("depth", 0, Integer.MAX_VALUE);
    long time = query.number("time", Long.MIN_VALUE, Long.MAX_VALUE);
    return progress -> {
      Optional<CallDetail> call = timeline.call(track, depth, time);
      if (call.isEmpty()) {
        return json -> {
          json.writeStartObject();
          json.writeNullField("why");
          json.writeEndObject();
        };
      }
      CallCause cause = CallCause.of(timeline, call.get(), progress);
      return json -> {
        json.writeStartObject();
        json.writeFieldName("why");
        write(json, cause);
        json.writeEndObject();
      };
    };
  }

  private static void write(JsonGenerator json, CallCause cause) throws IOException {
    json.writeStartObject();
    json.writeNumberField("scheduled", cause.scheduled());
    split(json, cause.split());
    json.writeObjectFieldStart("recorded");
    json.writeBooleanField("interrupted", cause.recorded().interrupts());
    json.writeBooleanField("faults", cause.recorded().faults());
    json.writeEndObject();
    parts(json, "states", cause.states());
    parts(json, "waits", cause.waits());
    json.writeObjectFieldStart("children");
    new Columns<>(json, some(cause.children()))
        .ints("method", CallCause.Child::method)
        .numbers("calls", CallCause.Child::calls)
        .numbers("time", CallCause.Child::time);
    json.writeEndObject();
    json.writeNumberField("self", cause.self());
    json.writeNumberField("counted", cause.counted());
    Siblings siblings = cause.siblings();
    json.writeObjectFieldStart("siblings");
    json.writeNumberField("count", siblings.count());
    json.writeNumberField("looked", siblings.looked());
    json.writeNumberField("explained", siblings.explained());
    json.writeNumberField("duration", siblings.duration());
    if (siblings.split().isPresent()) {
      split(json, siblings.split().get());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void split(JsonGenerator json, CauseSplit split) throws IOException {
    json.writeObjectFieldStart("split");
    json.writeNumberField("running", split.running());
    json.writeNumberField("interrupted", split.interrupted());
    json.writeNumberField("runnable", split.runnable());
    json.writeNumberField("blocked", split.blocked());
    json.writeNumberField("unknown", split.unknown());
    json.writeNumberField("faults", split.faults());
    json.writeEndObject();
  }

  private static void parts(JsonGenerator json, String name, List<CausePart> parts)
      throws IOException {
    json.writeObjectFieldStart(name);
    new Columns<>(json, some(parts))
        .ints("method", CausePart::method)
        .ints("other", CausePart::other)
        .numbers("object", part -> Integer.toUnsignedLong(part.object()))
        .numbers("count", CausePart::count)
        .numbers("time", CausePart::time);
    json.writeEndObject();
  }

  private static <T> List<T> some(List<T> all) {
    return all.subList(0, Math.min(all.size(), MAX));
  }
}
