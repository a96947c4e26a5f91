package dev.kymo.server.difference;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.difference.match.CallMatch;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.Optional;

/** {@code /api/match}: which call of another recording stands for a call. */
public final class MatchAnswer {
  private MatchAnswer() {}

  /**
   * Of a call.
   *
   * @param from its recording
   * @param to the other recording
   */
  public static Jobs.Work of(Timeline from, Timeline to, Query query) {
    int track = (int) query.number("track", 0, from.tracks().size() - 1L);
    int depth = (int) query.number("depth", 0, Integer.MAX_VALUE);
    long time = query.number("time", Long.MIN_VALUE, Long.MAX_VALUE);
    String threads = query.has("threads") ? query.text("threads") : "";
    return progress -> {
      Optional<CallDetail> call = from.call(track, depth, time);
      Optional<CallMatch> match = call.map(each -> CallMatch.of(from, each, to, threads, progress));
      return json -> {
        json.writeStartObject();
        json.writeFieldName("match");
        if (match.isPresent()) {
          write(json, call.get(), match.get());
        } else {
          json.writeNull();
        }
        json.writeEndObject();
      };
    };
  }

  private static void write(JsonGenerator json, CallDetail call, CallMatch match)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("threads", match.role().text());
    json.writeNumberField("number", match.number());
    json.writeNumberField("count", match.count());
    json.writeNumberField("otherNumber", match.otherNumber());
    json.writeNumberField("otherCount", match.otherCount());
    json.writeFieldName("own");
    write(json, call.track(), call.depth(), call.begin(), call.end() - call.begin());
    json.writeFieldName("call");
    if (match.other().isPresent()) {
      PlacedCall other = match.other().get();
      write(json, other.track(), other.depth(), other.begin(), other.duration());
    } else {
      json.writeNull();
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, int track, int depth, long begin, long duration)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("track", track);
    json.writeNumberField("depth", depth);
    Answers.time(json, "begin", begin);
    Answers.time(json, "duration", duration);
    json.writeEndObject();
  }
}
