package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** {@code /api/call}: everything about the call at one place in the picture. */
public final class CallAnswer {
  private CallAnswer() {}

  public static Answers.Body of(Timeline timeline, Query query) {
    int track = (int) query.number("track", 0, timeline.tracks().size() - 1L);
    int depth = (int) query.number("depth", 0, Integer.MAX_VALUE);
    long time = query.number("time", Long.MIN_VALUE, Long.MAX_VALUE);
    return of(timeline, timeline.call(track, depth, time));
  }

  /** A call that was found in another way, if there is one. */
  public static Answers.Body of(Timeline timeline, Optional<CallDetail> call) {
    return json -> {
      json.writeStartObject();
      json.writeFieldName("call");
      if (call.isPresent()) {
        boolean states = timeline.tracks().get(call.get().track()).kind().hasDetails();
        write(json, call.get(), states, counted(timeline, call.get()));
      } else {
        json.writeNull();
      }
      json.writeEndObject();
    };
  }

  /** About how many calls were counted while one was running; at least 1 if any may have been. */
  private static long counted(Timeline timeline, CallDetail call) {
    TimelineSelection meanwhile =
        new TimelineSelection(call.begin(), call.end(), List.of(call.track()));
    long counted = meanwhile.facts(timeline).counted();
    boolean maybe =
        counted == 0
            && call.end() > call.begin()
            && !timeline.counts().periods(call.track(), call.begin(), call.end()).isEmpty();
    return maybe ? 1 : counted;
  }

  private static void write(JsonGenerator json, CallDetail call, boolean states, long counted)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("track", call.track());
    json.writeNumberField("method", call.method());
    json.writeNumberField("depth", call.depth());
    Answers.time(json, "begin", call.begin());
    Answers.time(json, "end", call.end());
    Answers.time(json, "self", call.selfTime());
    json.writeNumberField("children", call.children());
    json.writeNumberField("counted", counted);
    json.writeNumberField("flags", call.flags());
    json.writeArrayFieldStart("callers");
    for (CallDetail.Caller caller : call.callers()) {
      json.writeStartObject();
      json.writeNumberField("method", caller.method());
      Answers.time(json, "begin", caller.begin());
      Answers.time(json, "end", caller.end());
      json.writeEndObject();
    }
    json.writeEndArray();
    if (states) {
      json.writeNumberField("object", Integer.toUnsignedLong(call.object()));
      json.writeNumberField("other", call.other());
    }
    json.writeEndObject();
  }
}
